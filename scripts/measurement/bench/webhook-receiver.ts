import { once } from 'node:events'
import { createServer } from 'node:https'

/** Sent to the receiver before each round: the number of requests to wait for. */
export type Expected = { expected: number }
/** Sent back when all have arrived, with one request of each endpoint. */
export type Arrived = { samples: Sample[] }
export type Sample = { host: string; path: string; headers: Record<string, string>; body: string }

type Order = { key: string; cert: string; addresses: string[] }

if (import.meta.main) await run(JSON.parse(String(process.argv[2])) as Order)

/** Answers with 204 at several addresses, in a process of its own. */
async function run({ key, cert, addresses }: Order): Promise<void> {
  let left = 0
  const samples = new Map<string, Sample>()
  for (const address of addresses) {
    const server = createServer({ key, cert }, async (request, response) => {
      const { host = '' } = request.headers
      const path = String(request.url)
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      response.writeHead(204).end()
      samples.set(host + path, { host, path, headers: request.headers as Record<string, string>, body })
      if (--left === 0) process.send?.({ samples: [...samples.values()] } satisfies Arrived)
    })
    await once(server.listen(443, address), 'listening')
  }
  process.on('message', ({ expected }: Expected) => {
    left = expected
    samples.clear()
  })
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}
