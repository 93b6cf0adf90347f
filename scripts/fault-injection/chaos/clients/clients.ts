import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compiledOnce, pythonEnvironment } from '../../../../tooling/clients/command-line.ts'
import { networkFaults, startFaultyProxy } from '../../../../tooling/network/faulty-proxy.ts'
import { randomFor } from '../../../../tooling/random.ts'
import { type Account, type Environment, openEnvironment } from '../environment.ts'
import { toSeconds } from '../outcomes.ts'
import { makeText } from '../traffic.ts'
import { priceMicros } from '../verify-posts.ts'

type Options = { posts: number; percent: number; seed: number }

const pathTo = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** How each client's program is started. */
const programs = {
  typescript: { command: process.execPath, args: [pathTo('./publish.ts')], env: compiledOnce },
  python: {
    command: '/usr/bin/python3',
    args: [pathTo('./publish.py')],
    env: pythonEnvironment,
  },
} as const
type Language = keyof typeof programs

/** The proxy delays longer than the clients wait for a response. */
const delayMs = 1_500

/**
 * Both clients publish through a proxy that drops, delays, duplicates and cuts a share of all requests. Each publish
 * must give one post and one charge.
 */
export async function publishThroughFaults({ posts, percent, seed }: Options) {
  await using environment = await openEnvironment({ driver: 'command', workers: 0 })
  const figures: Partial<Record<Language, Awaited<ReturnType<typeof publishWith>>>> = {}
  for (const language of Object.keys(programs) as Language[]) {
    const [account] = await environment.createAccounts(1, posts * priceMicros)
    if (!account) throw new Error('no account was created')
    figures[language] = await publishWith(language, environment, account, { posts, percent, seed })
  }
  const broken = Object.entries(figures).flatMap(([language, { faults }]) =>
    faults.map((fault) => `${language}: ${fault}`),
  )
  return {
    posts,
    percent,
    seed,
    ...Object.fromEntries(Object.entries(figures).map(([language, { faults: _, ...rest }]) => [language, rest])),
    ...environment.logsIf(broken.length > 0),
    broken: [...broken, ...environment.deaths()],
  }
}

async function publishWith(
  language: Language,
  environment: Environment,
  { id, apiKey }: Account,
  { posts, percent, seed }: Options,
) {
  const random = randomFor(seed, 0)
  const nextFault = () => (random.chance(percent / 100) ? random.pick(networkFaults) : undefined)
  await using proxy = await startFaultyProxy({ target: environment.baseUrl, nextFault, delayMs })
  const texts = Array.from({ length: posts }, (_, number) => makeText(number + 1))
  const startedAt = performance.now()
  const { code, ids, errors } = await run(language, { BROADSIDE_URL: proxy.url, BROADSIDE_API_KEY: apiKey }, texts)
  const seconds = toSeconds(performance.now() - startedAt)
  const [stored] = await environment.query<Record<'posts' | 'charges' | 'texts' | 'paid', number>>(
    `select (select count(*) from posts where account_id = $1)::int as posts,
      (select count(distinct content->>'text') from posts where account_id = $1)::int as texts,
      (select count(*) from ledger_transfers where account_id = $1 and reason = 'post')::int as charges,
      (select coalesce(sum(amount_micros), 0) / ${priceMicros} from ledger_transfers where account_id = $1 and reason = 'post')::int as paid`,
    [id],
  )
  const acknowledged = new Set(ids).size
  const faults = [
    ...(code === 0 ? [] : [`the program exited with ${code}: ${errors.slice(-500)}`]),
    ...Object.entries({ acknowledged, ...stored }).flatMap(([name, count]) =>
      count === posts ? [] : [`${count} ${name} for ${posts} publishes`],
    ),
  ]
  const { none: unharmed, ...harmed } = proxy.counts
  return { acknowledged, ...stored, requests: { unharmed, ...harmed }, seconds, faults }
}

async function run(language: Language, settings: NodeJS.ProcessEnv, texts: readonly string[]) {
  const { command, args, env } = programs[language]
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], ...env, ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(`${texts.join('\n')}\n`)
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text
    })
  const [code] = await once(child, 'close')
  return { code: code as number | null, ids: output.stdout.split('\n').filter(Boolean), errors: output.stderr }
}
