import type { RequestListener } from 'node:http'
import { domainFile } from '../../../src/contract/domain-limits.ts'
import { makeCertificates, pickReceiverAddress, startReceiver } from '../../../tooling/network/https-receiver.ts'

export const domain = 'agents.example.test'
export const otherDomain = 'others.example.test'

export type DomainServer = Awaited<ReturnType<typeof startDomainServer>>

/** An answer with this body. An object is sent as JSON. */
export const answering =
  (status: number, type: string, body: unknown): RequestListener =>
  (_, response) =>
    response
      .writeHead(status, { 'content-type': type })
      .end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))

/** A server of two domains that lists accounts, or answers as a test says. */
export async function startDomainServer(zone: object = {}) {
  const address = pickReceiverAddress()
  const { ca, key, cert } = makeCertificates([domain, otherDomain])
  const state: { listener: RequestListener } = { listener: answering(404, 'text/plain', '') }
  const server = await startReceiver({ address, key, cert }, (request, response) => state.listener(request, response))
  const answer = (listener: RequestListener) => {
    state.listener = listener
  }
  return {
    receivers: {
      zone: { [domain]: { a: [address] }, [otherDomain]: { a: [address] }, ...zone },
      certificateAuthorities: ca,
    },
    requests: server.requests,
    answer,
    /** Lists these accounts at the first domain. The other one has no file. */
    list: (...accounts: string[]) =>
      answer((request, response) => {
        const isFile = request.url === domainFile.path && request.headers.host === domain
        answering(isFile ? 200 : 404, 'application/json', { accounts })(request, response)
      }),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}
