import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** What can happen to a request on its way. */
export const networkFaults = ['drop', 'delay', 'duplicate', 'cut'] as const
export type NetworkFault = (typeof networkFaults)[number]

type Options = {
  /** The origin behind the proxy: http://127.0.0.1:8080 */
  target: string
  /** The fault of the next request, if any. */
  nextFault: (request: IncomingMessage) => NetworkFault | undefined
  delayMs: number
}

type Forwarded = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/**
 * An HTTP proxy that drops, delays, duplicates and cuts requests. Dropped: the request never arrives. Duplicated: it
 * arrives twice at the same time. Cut: it arrives, and half of the response comes back.
 */
export async function startFaultyProxy({ target, nextFault, delayMs }: Options) {
  const counts: Record<NetworkFault | 'none', number> = { none: 0, drop: 0, delay: 0, duplicate: 0, cut: 0 }
  const agent = new Agent({ keepAlive: true })
  let origin = ''

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = nextFault(request)
    counts[fault ?? 'none']++
    const body = Buffer.concat(await request.toArray())
    if (fault === 'drop') return void request.socket.destroy()
    if (fault === 'delay') await pause(delayMs)
    const forward = () => forwardTo(target, agent, request, body)
    const [forwarded] = await Promise.all(fault === 'duplicate' ? [forward(), forward()] : [forward()])
    // Responses name the addresses of the sites. A client that follows them must stay behind the proxy.
    const content = Buffer.from(forwarded.body.toString().replaceAll(target, origin))
    const headers = { ...forwarded.headers, 'content-length': String(content.length) }
    delete headers['transfer-encoding']
    response.writeHead(forwarded.status, headers)
    if (fault !== 'cut') return void response.end(content)
    response.write(content.subarray(0, content.length / 2), () => request.socket.destroy())
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: origin,
    /** How many requests had each fault. */
    counts,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
      agent.destroy()
      await once(server, 'close')
    },
  }
}

async function forwardTo(target: string, agent: Agent, { method, url, headers }: IncomingMessage, body: Buffer) {
  const own = { ...headers, host: new URL(target).host, 'content-length': String(body.length) }
  const sent = sendRequest(new URL(url ?? '/', target), { method: method ?? 'GET', headers: own, agent })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const content = Buffer.concat(await response.toArray())
  return { status: Number(response.statusCode), headers: response.headers, body: content } satisfies Forwarded
}
