import { createHmac, randomBytes } from 'node:crypto'

/** Like an endpoint of the service: 32 random bytes. */
export const newListenSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** An event as the stream of an account has it. */
export type OwnEvent = { id: string; type: string; timestamp: string; data: unknown }

export type SignedDelivery = { body: string; headers: Record<string, string> }

/** The same body and headers as a delivery of the service, signed at this time (Standard Webhooks). */
export function signDelivery(secret: string, { id, type, timestamp, data }: OwnEvent, at: Date): SignedDelivery {
  const body = JSON.stringify({ type, timestamp, data })
  const seconds = String(Math.floor(at.getTime() / 1_000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Broadside-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature}`,
  }
  return { body, headers }
}

/** The result of one attempt: a status, or why there is none. */
export type Attempt = { status: number | null; error: string | null; duration_ms: number; isDelivered: boolean }

/** As long as the service waits for a receiver. */
export const attemptTimeoutMs = 15_000

/** Sends a delivery once. It follows no redirects, as the service does. */
export async function attempt(
  url: string,
  { body, headers }: SignedDelivery,
  signal: AbortSignal,
  timeoutMs: number = attemptTimeoutMs,
): Promise<Attempt> {
  const startedAt = performance.now()
  const either = new AbortController()
  const stop = () => either.abort()
  signal.addEventListener('abort', stop)
  const timer = setTimeout(stop, timeoutMs)
  const since = () => Math.round(performance.now() - startedAt)
  try {
    const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal: either.signal })
    await response.body?.cancel()
    const { status, ok } = response
    return { status, error: null, duration_ms: since(), isDelivered: ok }
  } catch (error) {
    signal.throwIfAborted()
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    const reason = either.signal.aborted ? 'timeout' : (code ?? 'connection_failed')
    return { status: null, error: reason, duration_ms: since(), isDelivered: false }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
