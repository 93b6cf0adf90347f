import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { CommandError } from '../../../src/bin/command.ts'
import { decideWhileKilling } from './desk/desk.ts'
import { keepEstimates } from './estimates.ts'
import { floodWithStories } from './fairness.ts'
import { sendCopies } from './idempotency.ts'
import { breakModel } from './model/model.ts'
import { topUpWhileKilling } from './payments/payments.ts'
import { killProcesses } from './posts.ts'
import { spreadEvents } from './webhooks/webhooks.ts'

type Numbers = Record<string, number>
type Scenario<Options extends Numbers> = {
  summary: string
  /** Each with what it is unless told. */
  options: Options
  run: (options: Options) => Promise<{ broken: readonly string[] }>
}

const scenario = <Options extends Numbers>(one: Scenario<Options>) => one as unknown as Scenario<Numbers>

const scenarios: Record<string, Scenario<Numbers>> = {
  posts: scenario({
    summary: 'API and worker processes are killed while posts are submitted: nothing is lost, nothing happens twice',
    options: { submissions: 2_000, kills: 200, clients: 16 },
    run: killProcesses,
  }),
  idempotency: scenario({
    summary: 'copies of one submission arrive at once at two processes: one post, one charge, one answer',
    options: { rounds: 100, copies: 20 },
    run: sendCopies,
  }),
  model: scenario({
    summary: 'the model is killed, hangs, is out of reach and talks nonsense: all posts are decided, once, and rightly',
    options: { posts: 200 },
    run: breakModel,
  }),
  estimates: scenario({
    summary: 'authors are told when their posts will be decided: for nine of ten it is right within a factor of two',
    options: { posts: 500 },
    run: keepEstimates,
  }),
  fairness: scenario({
    summary: 'one account queues stories of the greatest length: others do not notice, and the model is left alone',
    options: { stories: 16 },
    run: floodWithStories,
  }),
  payments: scenario({
    summary:
      'owners top up and take money back while API, owner page and worker are killed: no cent is lost or doubled',
    options: { runs: 200, owners: 4, seed: randomInt(1, 1_000_000) },
    run: topUpWhileKilling,
  }),
  desk: scenario({
    summary:
      'four people decide by keyboard, one browser, the desk and the worker are killed: each case is decided once, and comes true once',
    options: { cases: 200, seed: randomInt(1, 1_000_000) },
    run: decideWhileKilling,
  }),
  webhooks: scenario({
    summary: 'workers are killed and some endpoints are sick: the others get every event, and not much later',
    // Sick endpoints double the attempts. At more events a second two processors are busy with them, and all wait.
    options: { events: 10_000, rate: 80, workers: 3, 'kill-seconds': 5 },
    run: (options) => spreadEvents(options),
  }),
}

const [name = '', ...args] = process.argv.slice(2)
const chosen = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
if (!chosen) list()
else if (args.includes('--help') || args.includes('-h')) console.log(`${usageOf(name, chosen)}\n\n${chosen.summary}`)
else await runAndReport(chosen)

function usageOf(known: string, { options }: Scenario<Numbers>): string {
  const flags = Object.entries(options).map(([flag, value]) => ` [--${flag} ${value}]`)
  return `Usage: npm run chaos -- ${known}${flags.join('')}`
}

function list(): void {
  console.log('Usage: npm run chaos -- <name> [--help]\n')
  for (const [known, { summary }] of Object.entries(scenarios)) console.log(`  ${known.padEnd(12)} ${summary}`)
  console.log('\nEach starts a service of its own, prints a line of JSON, and exits with 1 when a guarantee is broken.')
  if (name === '--help' || name === '-h') return
  if (name !== '') console.error(`\nThere is no '${name}'.`)
  process.exitCode = 2
}

async function runAndReport({ options, run }: Scenario<Numbers>): Promise<void> {
  try {
    const { broken, ...figures } = await run(readOptions(options))
    console.log(JSON.stringify({ chaos: name, ...figures, broken }))
    if (broken.length > 0) process.exitCode = 1
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    console.error(`${error.message}\nTry: npm run chaos -- ${name} --help`)
    process.exitCode = 2
  }
}

function readOptions(defaults: Numbers): Numbers {
  const options = Object.fromEntries(Object.keys(defaults).map((flag) => [flag, { type: 'string' as const }]))
  const given = parseOrExplain(options)
  const read = Object.entries(defaults).map(([flag, value]) => {
    const number = Number(given[flag] ?? value)
    if (!Number.isInteger(number) || number < 1 || number > 1_000_000)
      throw new CommandError(`--${flag} is a whole number from 1 to 1,000,000.`)
    return [flag, number]
  })
  return Object.fromEntries(read)
}

function parseOrExplain(options: Record<string, { type: 'string' }>): Record<string, string | undefined> {
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new CommandError((error as Error).message)
  }
}
