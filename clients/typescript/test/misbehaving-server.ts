import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Broadside, type BroadsideOptions } from '../src/index.ts'

export type Reply = (response: ServerResponse, request: IncomingMessage) => void
type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string; at: number }

/** A server that sends these replies in order, and then repeats the last one. */
export async function serve(...replies: Reply[]) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body, at: performance.now() })
    replies[Math.min(seen.length, replies.length) - 1]?.(response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { baseUrl, seen, [Symbol.asyncDispose]: close }
}

export const json =
  (status: number, value: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))

export const fine = json(200, { status: 'up' }, { 'x-request-id': 'a'.repeat(32) })

export const refuse = (status: number, code: string, headers: Record<string, string> = {}, more: object = {}) => {
  const document = { type: `https://b.example/problems/${code}`, title: 'T', status, detail: 'D', code, ...more }
  return json(
    status,
    { ...document, instance: 'a'.repeat(32) },
    { 'content-type': 'application/problem+json', ...headers },
  )
}

export const hangUp: Reply = (response) => response.destroy()
export const neverAnswer: Reply = () => {}

export const clientOf = ({ baseUrl }: { baseUrl: string }, options: Partial<BroadsideOptions> = {}) =>
  new Broadside({ baseUrl, apiKey: null, maxRetries: 1, ...options })

export const newcomer = { name: 'Harbour Notices', email: 'owner@example.com', accept_terms: true } as const
