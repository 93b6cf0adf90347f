import { keptFor } from '../../contract/retention/periods.ts'
import { type Html, html } from '../../markup/html.ts'
import { badge, type Tone, when } from '../../web-pages/elements.ts'
import type { listDeliveries } from '../../webhooks/deliveries.ts'
import type { AttemptErrorCode } from '../../webhooks/delivery/attempts.ts'

type Delivery = Awaited<ReturnType<typeof listDeliveries>>['data'][number]

const badges: Record<Delivery['status'], { label: string; tone: Tone }> = {
  pending: { label: 'pending', tone: null },
  delivered: { label: 'delivered', tone: 'good' },
  failed: { label: 'failed', tone: 'bad' },
  held: { label: 'on hold', tone: 'warn' },
}

const faults: Record<AttemptErrorCode, string> = {
  bad_url: 'invalid URL',
  address_refused: 'not a public address',
  name_not_resolved: 'host name not found',
  connection_failed: 'connection failed',
  tls_failed: 'invalid certificate',
  connection_broken: 'connection lost',
  timeout: 'timeout',
  malformed_response: 'malformed response',
}

export function deliveriesTable(deliveries: readonly Delivery[]): Html {
  if (deliveries.length === 0)
    return html`<div class="empty"><p>No deliveries yet</p><p>Deliveries from the last ${keptFor('deliveries')} appear here.</p></div>`
  return html`<table class="cards">
<thead><tr><th scope="col">When</th><th scope="col">Event</th><th scope="col">Status</th><th scope="col">Attempts</th></tr></thead>
<tbody>!${deliveries.map(row).join('\n')}</tbody></table>`
}

const row = ({ event_id, type, status, created_at, next_attempt_at, attempts }: Delivery): Html =>
  html`<tr>
<td class="when" data-label="When">!${when(new Date(created_at))}</td>
<td class="wide" data-label="Event"><div>${type}<span class="under"><code>${event_id}</code></span></div></td>
<td data-label="Status"><div>!${badge(badges[status].label, badges[status].tone)}!${
    status === 'pending' && next_attempt_at
      ? html`<span class="under">next !${when(new Date(next_attempt_at))}</span>`
      : ''
  }</div></td>
<td data-label="Attempts"><div>!${attempts.length === 0 ? html`None yet` : attemptList(attempts)}</div></td>
</tr>`

const attemptList = (attempts: Delivery['attempts']): Html =>
  html`<ol class="plain">!${attempts.map(attemptItem).join('')}</ol>`

const attemptItem = ({ at, status_code, duration_ms, error }: Delivery['attempts'][number]): Html =>
  html`<li>${status_code ?? (error ? faults[error] : '')} <span class="soft">after ${(duration_ms / 1_000).toFixed(1)} s · !${when(new Date(at))}</span></li>`
