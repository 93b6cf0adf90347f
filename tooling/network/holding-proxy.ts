import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What to do with a request. Cut: it arrives, and no response comes back. */
export type Treatment = 'forward' | 'cut' | 'drop' | 503

type Options = {
  /** The origin behind the proxy: http://127.0.0.1:8080 */
  target: string
  /** Decides about each request, which waits until the promise resolves. */
  treat: (request: IncomingMessage) => Treatment | Promise<Treatment>
}

/** An HTTP proxy that holds requests, and can refuse or lose them. It changes no headers, so signatures stay valid. */
export async function startHoldingProxy({ target, treat }: Options) {
  const { hostname, port } = new URL(target)
  const agent = new Agent({ keepAlive: true })
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const treatment = await treat(request)
    if (treatment === 'drop') return void request.socket.destroy()
    if (treatment === 503) return void response.writeHead(503).end()
    const { method, url, headers } = request
    const forwarded = sendRequest({ hostname, port, agent, method, path: url, headers })
    forwarded.on('error', () => request.socket.destroy())
    forwarded.end(body)
    forwarded.on('response', (answer: IncomingMessage) => {
      if (treatment === 'cut') return void request.socket.destroy()
      response.writeHead(Number(answer.statusCode), answer.headers)
      answer.pipe(response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
