import { once } from 'node:events'
import { createServer } from 'node:https'

/**
 * A receiver in a separate process at several addresses. It responds with 204, counts requests, and keeps one request
 * per endpoint.
 */
export type ReceiverOrder = { key: string; cert: string; addresses: string[] }
/** Sent before each round: the number of expected requests. */
export type Expected = { expected: number }
/** Sent back as soon as all have arrived. */
export type Arrived = { arrived: number; distinct: number; samples: Sample[] }
export type Sample = { host: string; path: string; headers: Record<string, string>; body: string }

if (import.meta.main) await run(JSON.parse(String(process.argv[2])) as ReceiverOrder)

async function run({ key, cert, addresses }: ReceiverOrder): Promise<void> {
  let expected = 0
  let arrived = 0
  const distinct = new Set<string>()
  const samples = new Map<string, Sample>()

  const count = (endpoint: string, id: unknown) => {
    arrived += 1
    distinct.add(`${endpoint} ${id}`)
    if (arrived === expected) process.send?.({ arrived, distinct: distinct.size, samples: [...samples.values()] })
  }
  const servers = addresses.map((address) =>
    createServer({ key, cert }, (request, response) => {
      const { host = '' } = request.headers
      const path = String(request.url)
      const endpoint = `${host}${path}`
      const sample = samples.has(endpoint)
        ? undefined
        : { host, path, headers: request.headers as Record<string, string>, body: '' }
      if (sample) samples.set(endpoint, sample)
      request.on('data', (chunk: Buffer) => {
        if (sample) sample.body += chunk
      })
      request.on('end', () => {
        response.writeHead(204).end()
        count(endpoint, request.headers['webhook-id'])
      })
    }).listen(443, address),
  )
  await Promise.all(servers.map((server) => once(server, 'listening')))
  process.on('message', (message: Expected) => {
    expected = message.expected
    arrived = 0
    distinct.clear()
    samples.clear()
  })
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}
