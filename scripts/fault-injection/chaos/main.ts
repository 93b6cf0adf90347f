import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { CommandError } from '../../../src/bin/command.ts'
import { connectWhileKilling } from './apps.ts'
import { publishThroughFaults } from './clients/clients.ts'
import { decideWhileKilling } from './desk/desk.ts'
import { keepEstimates } from './estimates.ts'
import { floodWithStories } from './fairness.ts'
import { loseHosts } from './hosts/hosts.ts'
import { sendCopies } from './idempotency.ts'
import { breakLog } from './log/log.ts'
import { breakModel } from './model/model.ts'
import { topUpWhileKilling } from './payments/payments.ts'
import { killProcesses } from './posts.ts'
import { losePrimary } from './primary/primary.ts'
import { failDisk } from './publishing/disk.ts'
import { floodGateway } from './publishing/flood.ts'
import { cutNetwork } from './publishing/network.ts'
import { pauseProcesses, pauseProcessesWithBucket } from './publishing/pauses.ts'
import { followWhileKilling } from './stream/stream.ts'
import { spreadEvents } from './webhooks/webhooks.ts'

type Numbers = Record<string, number>
type Scenario<Options extends Numbers> = {
  summary: string
  /** What `--help` adds to the summary. */
  details?: string
  /** Options with their defaults. */
  options: Options
  run: (options: Options) => Promise<{ broken: readonly string[] }>
}

const scenario = <Options extends Numbers>(one: Scenario<Options>) => one as unknown as Scenario<Numbers>

const scenarios: Record<string, Scenario<Numbers>> = {
  posts: scenario({
    summary: 'kills API and worker processes while posts are submitted: nothing is lost or done twice',
    options: { submissions: 2_000, kills: 200, clients: 16 },
    run: killProcesses,
  }),
  idempotency: scenario({
    summary: 'sends copies of one submission to two processes at the same time: one post, one charge, one response',
    options: { rounds: 100, copies: 20 },
    run: sendCopies,
  }),
  model: scenario({
    summary:
      'kills, hangs and disconnects the model and lets it return nonsense: every post is decided once and correctly',
    options: { posts: 200 },
    run: breakModel,
  }),
  estimates: scenario({
    summary: 'checks the estimates of when posts are decided: nine of ten are right within a factor of two',
    options: { posts: 500 },
    run: keepEstimates,
  }),
  fairness: scenario({
    summary: 'queues the longest stories from one account: other accounts are not delayed, and the model keeps running',
    options: { stories: 16 },
    run: floodWithStories,
  }),
  payments: scenario({
    summary: 'kills API, owner page and worker during top-ups and withdrawals: no cent is lost or counted twice',
    options: { runs: 200, owners: 4, seed: randomInt(1, 1_000_000) },
    run: topUpWhileKilling,
  }),
  apps: scenario({
    summary: 'kills the owner page while owners connect apps: no code or token works twice, no app without consent',
    options: { flows: 200, owners: 6, seed: randomInt(1, 1_000_000) },
    run: connectWhileKilling,
  }),
  clients: scenario({
    summary: 'drops, delays, duplicates and cuts requests of both clients: each publish gives one post and one charge',
    options: { posts: 1_000, percent: 30, seed: randomInt(1, 1_000_000) },
    run: publishThroughFaults,
  }),
  desk: scenario({
    summary:
      'kills a browser, the desk and the worker while four reviewers decide cases: each decision is applied exactly once',
    options: { cases: 200, seed: randomInt(1, 1_000_000) },
    run: decideWhileKilling,
  }),
  webhooks: scenario({
    summary: 'kills workers while some endpoints fail: healthy endpoints get every event without much delay',
    // Failing endpoints double the number of attempts. A higher rate would saturate two cores.
    options: { events: 10_000, rate: 80, workers: 3, 'kill-seconds': 5 },
    run: (options) => spreadEvents(options),
  }),
  stream: scenario({
    summary:
      'kills and stops API processes and crashes PostgreSQL while readers follow the stream: no gap, no repetition',
    options: { readers: 2_000, rate: 20, seconds: 300, kills: 2, pauses: 1, restarts: 1 },
    run: followWhileKilling,
  }),
  pauses: scenario({
    summary: 'stops processes for up to 40 seconds while posts are withdrawn: none comes back, none is lost or doubled',
    options: { pauses: 200, longest: 40, seconds: 1_200, rate: 10 },
    run: pauseProcesses,
  }),
  'pauses-s3': scenario({
    summary: 'the same as pauses, with the pages in a bucket of a real S3 server',
    options: { pauses: 200, longest: 40, seconds: 1_200, rate: 10 },
    run: pauseProcessesWithBucket,
  }),
  network: scenario({
    summary:
      'cuts and slows the ways to PostgreSQL while posts are withdrawn: none comes back, none is lost or doubled',
    options: { partitions: 50, slow: 50, longest: 40, seconds: 1_200, rate: 10 },
    run: cutNetwork,
  }),
  disk: scenario({
    summary: 'fills the disk of the pages and takes its power away: no page is lost, empty or wrong afterwards',
    options: { fillings: 20, losses: 20, seconds: 1_200, rate: 10 },
    run: failDisk,
  }),
  log: scenario({
    summary:
      'kills workers and takes the power of their disk away while the cosigned transparency log grows: no fork, no gap',
    options: { appends: 10_000, kills: 60, losses: 6, seconds: 300, rate: 5 },
    run: breakLog,
  }),
  flood: scenario({
    summary: 'floods the gateway with connections from one address: others read and publish as before',
    options: { connections: 4_000, seconds: 300, rate: 10 },
    run: floodGateway,
  }),
  primary: scenario({
    summary:
      'kills, pauses and cuts off the primary of three PostgreSQL nodes: nothing acknowledged is lost, reads go on',
    details: `
Starts three hosts (network namespaces) with etcd, Patroni and PostgreSQL, configured by deploy/patroni, HAProxy, and the
whole service. Each fault waits until all nodes are back after the one before. Needs root, and installs patroni, etcd and
haproxy with apt-get if they are missing.

  --kills, --pauses, --partitions   how often the primary is killed, paused and cut off
  --rate                            submissions per second
  --seconds                         how long each fault lasts; the node returns afterwards
  --appends                         entries of the transparency log, beside those of the posts

A fault takes about 45 seconds with the defaults. The result has the longest time without an acknowledged write for each
fault, and its median and worst by kind. On a machine without free processor time, nodes may lose the lock by themselves.`,
    options: { kills: 10, pauses: 10, partitions: 10, rate: 20, seconds: 25, appends: 10_000 },
    run: losePrimary,
  }),
  hosts: scenario({
    summary:
      'kills, cuts off and pauses one of two hosts with one object store: readers of the other one see no failure',
    details: `
Starts two hosts (network namespaces), each with a gateway, an API process and a worker, and PostgreSQL, an S3 server and a
stub of the model beside them. Needs root.

  --seconds   how long posts are submitted and hosts disturbed
  --rate      submissions per second; one post in ten is deleted
  --longest   the longest fault in seconds; the host is ready a few seconds after its end`,
    options: { seconds: 900, rate: 20, longest: 20 },
    run: loseHosts,
  }),
}

const [name = '', ...args] = process.argv.slice(2)
const chosen = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
if (!chosen) list()
else if (args.includes('--help') || args.includes('-h'))
  console.log([usageOf(name, chosen), chosen.summary, ...(chosen.details ? [chosen.details.trim()] : [])].join('\n\n'))
else await runAndReport(chosen)

function usageOf(known: string, { options }: Scenario<Numbers>): string {
  const flags = Object.entries(options).map(([flag, value]) => ` [--${flag} ${value}]`)
  return `Usage: npm run chaos -- ${known}${flags.join('')}`
}

function list(): void {
  console.log('Usage: npm run chaos -- <name> [--help]\n')
  for (const [known, { summary }] of Object.entries(scenarios)) console.log(`  ${known.padEnd(12)} ${summary}`)
  console.log('\nEach run starts its own service, prints one line of JSON, and exits with 1 if a guarantee is broken.')
  if (name === '--help' || name === '-h') return
  if (name !== '') console.error(`\nUnknown run '${name}'.`)
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
      throw new CommandError(`--${flag} must be a whole number from 1 to 1,000,000.`)
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
