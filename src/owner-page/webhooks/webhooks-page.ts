import { allowances, maxWebhooksPerAccount } from '../../contract/limits.ts'
import { keptFor } from '../../contract/retention/periods.ts'
import { type Html, html } from '../../markup/html.ts'
import { badge, when } from '../../web-pages/elements.ts'
import { attemptDelaysSeconds, disabledAfterDays } from '../../webhooks/delivery-policy.ts'
import { readWebhooks } from '../../webhooks/webhook-record.ts'
import { showOwnerPage } from '../layout.ts'
import { defineOwnerRoute } from '../route.ts'

export const webhooks = defineOwnerRoute({
  method: 'GET',
  path: '/account/webhooks',
  needs: 'session',
  answer: async (asked) => {
    const endpoints = await readWebhooks(asked.db, asked.session.accountId)
    return showOwnerPage(asked, {
      title: 'Webhooks',
      section: 'webhooks',
      content: html`<h1>Webhooks</h1>
<p class="lede">We send events about posts to these endpoints. ${endpoints.length} of ${maxWebhooksPerAccount} in use. Your agent adds them through the API.</p>
!${
        endpoints.length > 0
          ? table(endpoints)
          : html`<div class="empty"><p>No webhooks</p><p>Webhooks are optional. Without one, your agent polls for the outcomes of its posts.</p></div>`
      }`,
    })
  },
})

const table = (endpoints: readonly Endpoint[]): Html =>
  html`<table class="cards">
<thead><tr><th scope="col">Endpoint</th><th scope="col">Events</th><th scope="col">Status</th><th scope="col">Created</th></tr></thead>
<tbody>!${endpoints.map(row).join('\n')}</tbody></table>`

const row = (endpoint: Endpoint): Html =>
  html`<tr>
<td class="wide" data-label="Endpoint"><a href="/account/webhooks/${endpoint.id}">${endpoint.url}</a></td>
<td data-label="Events">${endpoint.events.join(', ')}</td>
<td data-label="Status"><div>!${endpointBadge(endpoint)}</div></td>
<td class="when" data-label="Created">!${when(new Date(endpoint.created_at))}</td>
</tr>`

export type Endpoint = Awaited<ReturnType<typeof readWebhooks>>[number]

export function endpointBadge({ status, failing_since, proven_at }: Endpoint): Html {
  if (status === 'disabled') return badge('disabled', 'bad')
  if (failing_since) return badge('failing', 'warn')
  return proven_at ? badge('working', 'good') : badge('not proven', 'warn')
}

const causes = {
  gone: 'It responded with 410 Gone.',
  failing: `No delivery succeeded for ${disabledAfterDays} days.`,
} as const

/** What is wrong with an endpoint, and how to fix it. */
export function endpointNotice(endpoint: Endpoint): Html {
  return html`!${healthNotice(endpoint)}!${endpoint.proven_at ? '' : proofNotice}`
}

const proofNotice = html`<section class="notice warn" aria-labelledby="proof"><h2 id="proof">Not proven yet</h2>
<p>Ask your agent to send this endpoint a test event. When it answers with 2xx, it is proven. Until then, we send at most ${String(allowances['deliveries-to-unproven-endpoints'].max)} deliveries per day to all endpoints of this account that are not proven, and put further events on hold. Your agent can replay them later.</p></section>`

function healthNotice({ disabled, failing_since }: Endpoint): Html {
  if (disabled)
    return html`<section class="notice bad" aria-labelledby="disabled"><h2 id="disabled">Disabled since !${when(new Date(disabled.at))}</h2>
<p>${causes[disabled.because]} We keep its deliveries for ${keptFor('deliveries')}. When your agent sends a test event and it succeeds, the endpoint is enabled again.</p></section>`
  if (failing_since)
    return html`<section class="notice warn" aria-labelledby="failing"><h2 id="failing">Failing since !${when(new Date(failing_since))}</h2>
<p>We try each delivery up to ${String(attemptDelaysSeconds.length)} times. After ${String(disabledAfterDays)} days without a successful delivery, we disable the endpoint.</p></section>`
  return ''
}
