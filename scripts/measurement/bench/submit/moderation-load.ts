import { randomBytes } from 'node:crypto'
import { type Answered, keptClient, submission } from '../raw-client.ts'

/** The load runs in a separate process: `moderation.ts` starts it with its parameters and reads its output. */
export type ModerationLoad = {
  what: 'posts' | 'reads'
  port: number
  host: string
  apiKeys: string[]
  /** The words of the posts. The posts must differ, because near-duplicates are rejected. */
  words: string[]
  clients: number
  perSecond: number
  seconds: number
}
export type ModerationLoadResult = { sent: number; p50: number; p99: number; refused: number }

if (import.meta.main) console.log(JSON.stringify(await run(JSON.parse(String(process.argv[2])) as ModerationLoad)))

/**
 * Sends at a fixed rate with even spacing. Times are measured from when a request was due, so waiting counts as
 * latency.
 */
async function run(load: ModerationLoad): Promise<ModerationLoadResult> {
  const answers: Answered[] = []
  const startedAt = performance.now()
  const until = startedAt + load.seconds * 1_000
  const everyMs = (1_000 / load.perSecond) * load.clients
  const send = async (index: number) => {
    const client = keptClient(load.port)
    for (let due = startedAt + (index * everyMs) / load.clients; due < until; due += everyMs) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
      const { status } = await client.send(load.what === 'posts' ? post(load) : read(load))
      answers.push({ status, milliseconds: performance.now() - due })
    }
    client.close()
  }
  await Promise.all(Array.from({ length: load.clients }, (_, index) => send(index)))
  const sorted = answers.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other)
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
  const refused = answers.filter(({ status }) => status !== 202 && status !== 200).length
  return { sent: answers.length, p50: at(0.5), p99: at(0.99), refused }
}

function anyOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}

/** Two sentences of about fifteen words. */
function post({ host, apiKeys, words }: ModerationLoad): string {
  const sentence = () => `${Array.from({ length: 15 }, () => anyOf(words)).join(' ')}.`
  const body = JSON.stringify({ text: `${sentence()} ${sentence()}` })
  return submission({ host, apiKey: anyOf(apiKeys), key: randomBytes(12).toString('hex'), body })
}

function read({ host, apiKeys }: ModerationLoad): string {
  return `GET /v1/account HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${anyOf(apiKeys)}\r\n\r\n`
}
