import { parseArgs } from 'node:util'
import { Broadside, isProblem } from '../../../client/src/index.ts'
import { CommandError } from '../../../src/bin/command.ts'
import { showProgress } from '../../../src/bin/progress.ts'
import { newcomer, startService } from '../../../tooling/environment/service.ts'
import { fuzzRequests } from './requests.ts'

type Fuzzer = { summary: string; help: string; run: (args: string[]) => Promise<{ failures: unknown[] }> }

const fuzzers: Record<string, Fuzzer> = {
  requests: {
    summary: 'malformed and odd HTTP requests: every answer must be a success or a problem document, and never a 5xx',
    help: [
      'Usage: npm run fuzz -- requests [--count <number>] [--seed <number>] [--first <number>] [--url <site>]',
      '',
      '  --count   how many requests; 5000 unless told',
      '  --seed    which row of requests; another one each time unless told',
      '  --first   the number of the first request, to repeat one failure: --seed 7 --first 1234 --count 1',
      '  --url     a site that runs, such as http://localhost:4001 after `npm run up`; it meets the ceiling of the',
      '            platform and gains accounts. Unless told, a service is started for this run alone.',
    ].join('\n'),
    run: runRequests,
  },
}

const [name = '', ...args] = process.argv.slice(2)
const fuzzer = Object.hasOwn(fuzzers, name) ? fuzzers[name] : undefined
if (!fuzzer) listFuzzers()
else if (args.includes('--help') || args.includes('-h')) console.log(fuzzer.help)
else await runAndReport(fuzzer)

function listFuzzers() {
  console.log('Usage: npm run fuzz -- <name> [--help]\n')
  for (const [known, { summary }] of Object.entries(fuzzers)) console.log(`  ${known}  ${summary}`)
  if (name === '--help' || name === '-h') return
  if (name !== '') console.error(`\nThere is no fuzzer '${name}'.`)
  process.exitCode = 2
}

async function runAndReport({ run }: Fuzzer) {
  try {
    const summary = await run(args)
    console.log(JSON.stringify(summary, null, 2))
    if (summary.failures.length > 0) process.exitCode = 1
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    console.error(`${error.message}\nTry: npm run fuzz -- ${name} --help`)
    process.exitCode = 2
  }
}

async function runRequests(words: string[]) {
  const { url, ...numbers } = readOptions(words)
  await using own = url ? undefined : await startService()
  const baseUrl = url ?? String(own?.baseUrl)
  const { hostname: host, port } = new URL(baseUrl)
  const apiKey = await newKey(baseUrl)
  const startedAt = performance.now()
  const onAnswer = showProgress('Requests')
  const summary = await fuzzRequests({
    host,
    port: Number(port || 80),
    onAnswer,
    ...numbers,
    ...(apiKey && { apiKey }),
  })
  return { seed: numbers.seed, seconds: Math.round((performance.now() - startedAt) / 100) / 10, ...summary }
}

/** The key of an account made for this run; none where the address has made all that it may today. */
async function newKey(baseUrl: string): Promise<string | undefined> {
  try {
    return (await new Broadside({ baseUrl }).createAccount(newcomer)).body.api_key
  } catch (error) {
    if (isProblem(error, 'rate_limited')) return undefined
    if (isProblem(error)) throw error
    throw new CommandError(`No service answers at ${baseUrl}. Start everything with \`npm run up\`.`)
  }
}

function readOptions(words: string[]) {
  const options = {
    count: { type: 'string' },
    seed: { type: 'string' },
    first: { type: 'string' },
    url: { type: 'string' },
  } as const
  try {
    const { values } = parseArgs({ args: words, options })
    const { count = '5000', seed = String(Math.floor(Math.random() * 2 ** 32)), first = '0', url } = values
    if (url && new URL(url).protocol !== 'http:') throw new Error('--url must begin with http://.')
    return {
      url,
      count: wholeNumber('count', count),
      seed: wholeNumber('seed', seed),
      first: wholeNumber('first', first),
    }
  } catch (error) {
    throw new CommandError((error as Error).message)
  }
}

function wholeNumber(option: string, text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw new Error(`--${option} must be a whole number, and is '${text}'.`)
}
