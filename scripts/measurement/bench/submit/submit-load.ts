import { randomBytes } from 'node:crypto'
import { type Answered, rawClient, submission } from '../raw-client.ts'
import { messageText } from './bare-submission.ts'

/** The load runs in a separate process: `submit.ts` starts it with its parameters and reads its output. */
export type Load = {
  ports: number[]
  host: string
  apiKeys: string[]
  clients: number
  seconds: number
  /** The fixed rate, evenly spaced, however long responses take. Default: unlimited. */
  perSecond?: number
}
export type LoadResult = { perSecond: number; p50: number; p99: number; refused: number }

if (import.meta.main) console.log(JSON.stringify(await run(JSON.parse(String(process.argv[2])) as Load)))

async function run(load: Load): Promise<LoadResult> {
  const clients = Array.from({ length: load.clients }, (_, index) =>
    rawClient(Number(load.ports[index % load.ports.length])),
  )
  const answers: Answered[] = []
  const startedAt = performance.now()
  const until = startedAt + load.seconds * 1_000
  await Promise.all(clients.map((client, index) => (load.perSecond ? paced(client, index) : eager(client))))
  const elapsed = (performance.now() - startedAt) / 1_000
  for (const client of clients) client.close()
  const sorted = answers.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other)
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
  const refused = answers.filter(({ status }) => status !== 202).length
  return { perSecond: Math.round((answers.length - refused) / elapsed), p50: at(0.5), p99: at(0.99), refused }

  async function eager(client: ReturnType<typeof rawClient>) {
    while (performance.now() < until) answers.push(await client.send(next(load)))
  }
  /** Times are measured from when the request was due, so waiting for a late response counts as latency. */
  async function paced(client: ReturnType<typeof rawClient>, index: number) {
    const everyMs = (1_000 / Number(load.perSecond)) * load.clients
    for (let due = startedAt + (index * everyMs) / load.clients; due < until; due += everyMs) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
      const { status } = await client.send(next(load))
      answers.push({ status, milliseconds: performance.now() - due })
    }
  }
}

function next({ host, apiKeys }: Load): string {
  const key = randomBytes(12).toString('hex')
  const apiKey = String(apiKeys[Math.floor(Math.random() * apiKeys.length)])
  return submission({ host, apiKey, key, body: JSON.stringify({ text: messageText(key), topics: ['bench', 'tides'] }) })
}
