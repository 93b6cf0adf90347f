import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import type { DnsQuestion } from '../../../tooling/network/dns-server.ts'
import { makeCertificates, pickReceiverAddress, startReceiver } from '../../../tooling/network/https-receiver.ts'
import { waitFor } from '../../../tooling/services/state.ts'

export type Received = { at: number; path: string; headers: Record<string, string>; body: string }

/** How a path of the receiver handles a delivery, if not with 204. */
export type Behaviour = (received: Received, response: ServerResponse) => void

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>

export const receiverHost = 'hooks.example.test'
/** Leads to the same receiver, through a name server that leaves half of the queries unanswered. */
export const slowHost = 'slow.example.test'

/** A webhook receiver at its own loopback address. It keeps all requests. */
export async function startWebhookReceiver() {
  const address = pickReceiverAddress()
  const { ca, key, cert } = makeCertificates([receiverHost, slowHost])
  const received: Received[] = []
  const behaviours = new Map<string, Behaviour>()
  const server = await startReceiver({ address, key, cert }, async (request, response) => {
    const one = await read(request)
    received.push(one)
    const behave = behaviours.get(one.path) ?? answering(204)
    behave(one, response)
  })
  const at = (path: string) => received.filter((one) => one.path === path)
  return {
    authorities: ca,
    zone: {
      [receiverHost]: { a: [address] },
      [slowHost]: ({ type }: DnsQuestion) => (type === 'A' ? { a: [address] } : ('silence' as const)),
    },
    url: (path: string, host = receiverHost) => `https://${host}${path}`,
    at,
    connections: server.connections,
    on: (path: string, behaviour: Behaviour) => void behaviours.set(path, behaviour),
    /** Waits until a path has received this many requests. */
    untilReceived: async (path: string, count: number) => {
      await waitFor(async () => at(path).length >= count, `${count} deliveries at ${path}`)
      return at(path)
    },
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}

export async function read(request: IncomingMessage): Promise<Received> {
  const body = (await buffer(request)).toString()
  return { at: Date.now(), path: request.url ?? '', headers: request.headers as Record<string, string>, body }
}

/** Responds with a status, and headers if any. */
export const answering =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_received, response) =>
    response.writeHead(status, headers).end()

type Signed = Pick<Received, 'headers' | 'body'>

/** Returns the event of a delivery after verifying it with the official package. Throws if it is not genuine. */
export const verified = (secret: string, { headers, body }: Signed) =>
  new Webhook(secret).verify(body, headers) as Record<string, unknown>

/** Like `verified`, but at the time of the delivery: the package uses only the machine's clock. */
export function verifiedAtItsTime(secret: string, { headers, body }: Signed): Record<string, unknown> {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
  const signature = new Webhook(secret).sign(String(headers['webhook-id']), at, body)
  if (!String(headers['webhook-signature']).split(' ').includes(signature)) throw new Error('no signature matches')
  return JSON.parse(body)
}
