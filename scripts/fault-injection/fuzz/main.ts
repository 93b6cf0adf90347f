import { parseArgs } from 'node:util'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import { CommandError } from '../../../src/bin/command.ts'
import { showProgress } from '../../../src/bin/progress.ts'
import { openApiClient } from '../../../tooling/clients/api-client.ts'
import { newcomer, startService } from '../../../tooling/environment/service.ts'
import { fuzzDoors } from './doors/doors.ts'
import { fuzzRequests } from './requests.ts'

type Fuzzer = { summary: string; help: string; run: (args: string[]) => Promise<{ failures: unknown[] }> }

const fuzzers: Record<string, Fuzzer> = {
  requests: {
    summary:
      'sends malformed and unusual HTTP requests: every response must be a success or a problem document, never a 5xx',
    help: [
      'Usage: npm run fuzz -- requests [--count <number>] [--seed <number>] [--first <number>] [--url <site>]',
      '',
      '  --count   number of requests; default 5000',
      '  --seed    seed of the request sequence; random by default',
      '  --first   number of the first request, to repeat one failure: --seed 7 --first 1234 --count 1',
      '  --url     a running site, such as http://localhost:4001 after `npm run up`. The platform-wide rate limit applies,',
      '            and the run creates accounts there. By default, the run starts its own service.',
    ].join('\n'),
    run: runRequests,
  },
  doors: {
    summary:
      'sends odd contents to the API, MCP, the owner page, the desk and the search page: no 5xx, no restart, no leak',
    help: [
      'Usage: npm run fuzz -- doors [--count <number>] [--seed <number>] [--first <number>]',
      '',
      '  --count   number of requests; default 5000',
      '  --seed    seed of the request sequence; random by default',
      '  --first   number of the first request, to repeat one failure: --seed 7 --first 1234 --count 1',
    ].join('\n'),
    run: runDoors,
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
  if (name !== '') console.error(`\nUnknown fuzzer '${name}'.`)
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

async function runDoors(words: string[]) {
  const { url, ...numbers } = readOptions(words)
  if (url) throw new CommandError('--url is not an option of this run, which starts its own processes.')
  const startedAt = performance.now()
  const summary = await fuzzDoors({ ...numbers, onAnswer: showProgress('Requests') })
  return { seed: numbers.seed, seconds: Math.round((performance.now() - startedAt) / 100) / 10, ...summary }
}

/** The key of an account created for this run; undefined if the address has reached its daily limit. */
async function newKey(baseUrl: string): Promise<string | undefined> {
  try {
    return (await openApiClient({ baseUrl }).createAccount(newcomer)).body.api_key
  } catch (error) {
    if (isProblem(error, 'rate_limited')) return undefined
    if (isProblem(error)) throw error
    throw new CommandError(`No service responds at ${baseUrl}. Start everything with \`npm run up\`.`)
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
    if (url && new URL(url).protocol !== 'http:') throw new Error('--url must start with http://.')
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
  throw new Error(`--${option} must be a whole number, not '${text}'.`)
}
