/** A separate program, so that the sender's load does not affect responses and timings. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import { Webhook } from 'standardwebhooks'

export type Behaviour = 'healthy' | 'hangs' | 'fails' | 'resets'
/** An endpoint, and the number of its account. */
export type Listener = { account: number; behaviour: Behaviour }
export type Place = Listener & { host: string; address: string }
export type Arrival = { eventId: string; firstAt: number; copies: number }
export type Seen = { host: string; requests: number; unverified: number; arrivals: Arrival[] }

export type Order =
  | { order: 'listen'; key: string; cert: string; places: readonly Place[] }
  | { order: 'trust'; secrets: Readonly<Record<string, string>> }
  | { order: 'count' }
  | { order: 'report' }
/** Each command gets one response. */
export type Answer = { arrived: number } | { seen: Seen[] }

type Endpoint = {
  requests: number
  unverified: number
  arrivals: Map<string, Arrival>
  webhook: Webhook | undefined
}

const endpoints = new Map<string, Endpoint>()

process.on('message', (order: Order) => void obey(order).then((answer) => process.send?.(answer)))
// The parent process is gone.
process.on('disconnect', () => process.exit())

async function obey(order: Order): Promise<Answer> {
  if (order.order === 'listen') await Promise.all(order.places.map((place) => listen(place, order)))
  if (order.order === 'trust')
    for (const [host, secret] of Object.entries(order.secrets)) {
      const endpoint = endpoints.get(host)
      if (endpoint) endpoint.webhook = new Webhook(secret)
    }
  if (order.order === 'report')
    return {
      seen: [...endpoints].map(([host, { requests, unverified, arrivals }]) => ({
        ...{ host, requests, unverified },
        arrivals: [...arrivals.values()],
      })),
    }
  return { arrived: [...endpoints.values()].reduce((sum, { arrivals }) => sum + arrivals.size, 0) }
}

async function listen({ host, address, behaviour }: Place, { key, cert }: { key: string; cert: string }) {
  const endpoint: Endpoint = { requests: 0, unverified: 0, arrivals: new Map(), webhook: undefined }
  endpoints.set(host, endpoint)
  const connections = new Map<number | undefined, Socket>()
  const server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      endpoint.requests += 1
      if (behaviour === 'healthy') take(endpoint, request, Buffer.concat(chunks).toString())
      // Only the socket below TLS can be reset.
      if (behaviour === 'resets') connections.get(request.socket.remotePort)?.resetAndDestroy()
      else reply(behaviour, response)
    })
  })
  server.on('connection', (socket) => {
    const { remotePort } = socket
    connections.set(remotePort, socket)
    socket.on('close', () => connections.delete(remotePort))
  })
  // A killed worker leaves a handshake unfinished.
  server.on('tlsClientError', () => {})
  server.listen(443, address)
  await once(server, 'listening')
}

function take(endpoint: Endpoint, { headers }: IncomingMessage, body: string): void {
  const firstAt = Date.now()
  if (!isGenuine(endpoint, headers as Record<string, string>, body)) {
    endpoint.unverified += 1
    return
  }
  const eventId = String(headers['webhook-id'])
  const arrival = endpoint.arrivals.get(eventId)
  if (arrival) arrival.copies += 1
  else endpoint.arrivals.set(eventId, { eventId, firstAt, copies: 1 })
}

/** Verified with the official package, which takes 0.03 ms per delivery. */
function isGenuine({ webhook }: Endpoint, headers: Record<string, string>, body: string): boolean {
  try {
    webhook?.verify(body, headers)
    return webhook !== undefined
  } catch {
    return false
  }
}

function reply(behaviour: Behaviour, response: ServerResponse): void {
  if (behaviour === 'hangs') return
  response.writeHead(behaviour === 'fails' ? 500 : 204).end()
}
