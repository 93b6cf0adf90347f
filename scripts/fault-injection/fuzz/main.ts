import { isProblem } from '../../../clients/typescript/src/index.ts'
import { CommandError, UsageError } from '../../../src/bin/command.ts'
import { showProgress } from '../../../src/bin/progress.ts'
import { openApiClient } from '../../../tooling/clients/api-client.ts'
import { newcomer, startService } from '../../../tooling/environment/service.ts'
import { readOptions, runNamed, text, wholeNumber } from '../../../tooling/script-options.ts'
import { fuzzDoors } from './doors/doors.ts'
import { fuzzRequests } from './requests.ts'

const common = `
  --count   number of requests; default 5000
  --seed    seed of the request sequence; random by default
  --first   number of the first request, to repeat one failure: --seed 7 --first 1234 --count 1`

export const fuzzers = {
  requests: {
    summary:
      'sends malformed and unusual HTTP requests: every response must be a success or a problem document, never a 5xx',
    details: `${common}
  --url     a running site, such as http://localhost:4001 after \`npm run up\`. The platform-wide rate limit applies,
            and the run creates accounts there. By default, the run starts its own service.`,
    load: async () => runRequests,
  },
  doors: {
    summary:
      'sends odd contents to the API, MCP, the owner page, the desk and the search page: no 5xx, no restart, no leak',
    details: common,
    load: async () => runDoors,
  },
}

if (import.meta.main) await runNamed({ command: 'npm run fuzz', what: 'name' }, fuzzers)

function report(summary: { failures: unknown[]; [figure: string]: unknown }) {
  console.log(JSON.stringify(summary, null, 2))
  if (summary.failures.length > 0) process.exitCode = 1
}

async function runRequests(words: string[]) {
  const { url, ...numbers } = readOptions(words, { ...numberOptions(), url: text('SITE') })
  if (url && !/^http:\/\/[^/]+/.test(url)) throw new UsageError('--url must start with http://.')
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
  report({ seed: numbers.seed, seconds: Math.round((performance.now() - startedAt) / 100) / 10, ...summary })
}

async function runDoors(words: string[]) {
  const numbers = readOptions(words, numberOptions())
  const startedAt = performance.now()
  const summary = await fuzzDoors({ ...numbers, onAnswer: showProgress('Requests') })
  report({ seed: numbers.seed, seconds: Math.round((performance.now() - startedAt) / 100) / 10, ...summary })
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

function numberOptions() {
  const seed = Math.floor(Math.random() * 2 ** 32)
  return {
    count: wholeNumber(5_000),
    seed: wholeNumber(seed, { min: 0, max: 2 ** 32 }),
    first: wholeNumber(0, { min: 0 }),
  }
}
