import { testEvent } from '../../contract/events.ts'
import type { Channel } from '../../platform/outbound-http/open-outbound.ts'
import { OutboundFault } from '../../platform/outbound-http/outbound-fault.ts'
import { maxResponseBytes } from '../rules.ts'
import { sign } from '../secret.ts'
import { type Reaction, readRetryAfter } from './attempt-outcome.ts'
import type { Due, Endpoint } from './lane.ts'

type Attempt = {
  channel: Channel
  endpoint: Endpoint
  keys: readonly Buffer[]
  due: Due
  at: Date
  timeoutMs: number
  signal: AbortSignal
}

/** Signs and sends once; undefined when nothing was sent because it was no longer wanted. */
export async function makeAttempt({
  channel,
  endpoint,
  keys,
  due,
  at,
  timeoutMs,
  signal,
}: Attempt): Promise<Reaction | undefined> {
  const body = bodyOf(endpoint, due)
  try {
    const { status, retryAfter } = await channel.post({
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Broadside-Webhooks/1',
        ...sign(keys, { eventId: due.event_id, at, body }),
      },
      timeoutMs,
      maxBytes: maxResponseBytes,
      signal,
    })
    return { status, retryAfterSeconds: readRetryAfter(retryAfter, at) }
  } catch (error) {
    if (!(error instanceof OutboundFault)) throw error
    return error.kind === 'withdrawn' ? undefined : { fault: error.kind }
  }
}

/** The same bytes at every attempt: what the log of events shows, without the id, which is a header. */
function bodyOf(endpoint: Endpoint, { type, created_at, data }: Due): Buffer {
  const said = type === testEvent.type ? { endpoint_id: endpoint.id } : data
  return Buffer.from(JSON.stringify({ type, timestamp: created_at.toISOString(), data: said }))
}
