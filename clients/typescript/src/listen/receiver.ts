import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '../verify.ts'

export type Refused = { status: 400 | 405 | 413; reason: string; advice: string }
export type Outcome = { status: 204; event: WebhookEvent } | Refused

/** Three times the largest event that the standard recommends. */
const maxBodyBytes = 64 * 1_024

/**
 * A server that responds to each request and reports the result. It verifies a delivery before it uses anything in it.
 */
export function createReceiver(secrets: readonly string[], tell: (outcome: Outcome) => void): Server {
  // The service waits 15 seconds for a response, so a slower request is not from the service.
  const limits = { headersTimeout: 15_000, requestTimeout: 15_000 }
  const server = createServer(limits, async (request, response) => {
    const outcome = await judge(request, secrets)
    // The sender has disconnected, so do not respond.
    if (!outcome) return
    tell(outcome)
    answer(response, outcome)
  })
  server.maxConnections = 100
  return server
}

async function judge(request: IncomingMessage, secrets: readonly string[]): Promise<Outcome | undefined> {
  if (request.method !== 'POST')
    return { status: 405, reason: 'method_not_allowed', advice: 'This is a webhook receiver. Deliveries use POST.' }
  const read = await readBody(request).catch(() => undefined)
  if (!read) return undefined
  if (!read.body) return { status: 413, reason: 'body_too_large', advice: 'No delivery is larger than 64 KiB.' }
  return verify(read.body, request, secrets)
}

/**
 * Returns the whole body, or no body if it is too large. It does not close the connection, so that the sender gets the
 * response.
 */
async function readBody(request: IncomingMessage): Promise<{ body?: Buffer }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBodyBytes) return {}
    chunks.push(chunk)
  }
  return { body: Buffer.concat(chunks) }
}

async function verify(body: Buffer, { headers }: IncomingMessage, secrets: readonly string[]): Promise<Outcome> {
  try {
    return { status: 204, event: await verifyWebhook(body, headers, secrets) }
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return { status: 400, reason: error.reason, advice: error.message }
  }
}

function answer(response: ServerResponse, outcome: Outcome) {
  if (outcome.status === 204) return response.writeHead(204).end()
  const headers = { 'content-type': 'text/plain; charset=utf-8', ...(outcome.status === 405 && { allow: 'POST' }) }
  return response.writeHead(outcome.status, headers).end(`${outcome.reason}: ${outcome.advice}\n`)
}
