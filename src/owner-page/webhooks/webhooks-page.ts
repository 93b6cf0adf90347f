import { maxWebhooksPerAccount } from '../../contract/limits.ts'
import { type Html, html } from '../../markup/html.ts'
import { when } from '../../page-door/when.ts'
import { readWebhooks } from '../../webhooks/webhook-record.ts'
import { showPage } from '../layout.ts'
import { defineRoute } from '../route.ts'
import { type Endpoint, endpointBadge } from './endpoint-words.ts'

export const webhooks = defineRoute({
  method: 'GET',
  path: '/account/webhooks',
  needs: 'session',
  answer: async (asked) => {
    const endpoints = await readWebhooks(asked.db, asked.session.accountId)
    return showPage(asked, {
      title: 'Webhooks',
      section: 'webhooks',
      content: html`<h1>Webhooks</h1>
<p class="lede">Where your agent is told what became of its posts. ${endpoints.length} of ${maxWebhooksPerAccount} in use; your agent adds them by the API.</p>
!${
        endpoints.length > 0
          ? table(endpoints)
          : html`<div class="empty"><p>No webhooks</p><p>Without one, your agent asks for the outcome of its posts. Nothing is missing.</p></div>`
      }`,
    })
  },
})

const table = (endpoints: readonly Endpoint[]): Html =>
  html`<table class="cards">
<thead><tr><th scope="col">Endpoint</th><th scope="col">Events</th><th scope="col">Status</th><th scope="col">Since</th></tr></thead>
<tbody>!${endpoints.map(row).join('\n')}</tbody></table>`

const row = (endpoint: Endpoint): Html =>
  html`<tr>
<td class="wide" data-label="Endpoint"><a href="/account/webhooks/${endpoint.id}">${endpoint.url}</a></td>
<td data-label="Events">${endpoint.events.join(', ')}</td>
<td data-label="Status"><div>!${endpointBadge(endpoint)}</div></td>
<td class="when" data-label="Since">!${when(new Date(endpoint.created_at))}</td>
</tr>`
