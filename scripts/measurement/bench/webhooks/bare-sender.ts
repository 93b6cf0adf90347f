import { Pool } from 'undici'
import type { Sample } from './receiver.ts'

/** The requests that the loop below sends, exactly as the receiver got them, so that the bytes are the same. */
export type BareOrder = {
  ca: string
  addressOf: Record<string, string>
  samples: Sample[]
  posts: number
  /** Concurrent posts to one endpoint, each on its own connection. */
  seats: number
}
export type BareResult = { seconds: number; refused: number }

if (import.meta.main) {
  process.on('message', (order: BareOrder) => void run(order).then((result) => process.send?.(result)))
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}

/** Opens the connections within the measured time, as the worker does. */
async function run({ ca, addressOf, samples, posts, seats }: BareOrder): Promise<BareResult> {
  const pools = new Map(
    Map.groupBy(samples, ({ host }) => host)
      .entries()
      .map(([host, { length }]) => [
        host,
        new Pool(`https://${addressOf[host]}`, { connections: length * seats, connect: { ca, servername: host } }),
      ]),
  )
  let left = posts
  let refused = 0
  const loop = async ({ host, path, headers, body }: Sample) => {
    const pool = pools.get(host)
    const bytes = Buffer.from(body)
    while (pool && left-- > 0) {
      const response = await pool.request({ method: 'POST', path, headers, body: bytes })
      await response.body.dump()
      if (response.statusCode !== 204) refused += 1
    }
  }
  const startedAt = performance.now()
  await Promise.all(samples.flatMap((sample) => Array.from({ length: seats }, () => loop(sample))))
  const seconds = (performance.now() - startedAt) / 1_000
  await Promise.all([...pools.values()].map((pool) => pool.close()))
  return { seconds, refused }
}
