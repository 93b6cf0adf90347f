import { recordOwnerAction } from '../../accounts/owner-audit-log.ts'
import { html } from '../../markup/html.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { when } from '../../web-pages/elements.ts'
import { csrfField } from '../../web-pages/form.ts'
import { listDeliveries } from '../../webhooks/deliveries.ts'
import { endWebhook } from '../../webhooks/manage-webhooks.ts'
import { readWebhooks } from '../../webhooks/webhook-record.ts'
import { nothingHere, showOwnerPage } from '../layout.ts'
import { pageLinks } from '../pagination.ts'
import { readId } from '../read-id.ts'
import { defineOwnerRoute, type OwnerRequest } from '../route.ts'
import { deliveriesTable } from './deliveries-table.ts'
import { waitForWorkers } from './wait-for-workers.ts'
import { type Endpoint, endpointBadge, endpointNotice } from './webhooks-page.ts'

const deliveriesPerPage = 20

const webhook = defineOwnerRoute({
  method: 'GET',
  path: '/account/webhooks/:id',
  needs: 'session',
  answer: async (asked) => {
    const endpoint = await findEndpoint(asked)
    if (!endpoint) return nothingHere(asked)
    const { db, session, query } = asked
    const before = readId('evt', query['before'])
    const page = { limit: deliveriesPerPage, ...(before && { cursor: before }) }
    const { data, next_cursor } = await listDeliveries({ db, caller: session }, endpoint.id, page)
    return showOwnerPage(asked, {
      title: endpoint.url,
      section: 'webhooks',
      content: html`<p class="crumbs"><a href="/account/webhooks">Webhooks</a></p><h1 class="address">${endpoint.url}</h1>
!${endpointNotice(endpoint)}
<dl class="facts">
<div><dt>Status</dt><dd>!${endpointBadge(endpoint)}</dd></div>
<div><dt>Events</dt><dd>${endpoint.events.join(', ')}</dd></div>
<div><dt>Created</dt><dd>!${when(new Date(endpoint.created_at))}</dd></div>
<div><dt>Identifier</dt><dd><code>${endpoint.id}</code></dd></div>
</dl>
<section aria-labelledby="deliveries"><h2 id="deliveries">Deliveries</h2>!${deliveriesTable(data)}
!${pageLinks(`/account/webhooks/${endpoint.id}`, { before, next: next_cursor })}</section>
<section aria-labelledby="delete"><h2 id="delete">Delete</h2><p class="soft">Your agent can also delete it or replace its secret through the API.</p>
<p><a class="button quiet danger" href="/account/webhooks/${endpoint.id}/delete">Delete this webhook</a></p></section>`,
    })
  },
})

const askDeletion = defineOwnerRoute({
  method: 'GET',
  path: '/account/webhooks/:id/delete',
  needs: 'session',
  answer: async (asked) => {
    const endpoint = await findEndpoint(asked)
    if (!endpoint) return nothingHere(asked)
    return showOwnerPage(asked, {
      title: 'Delete a webhook',
      section: 'webhooks',
      content: html`<p class="crumbs"><a href="/account/webhooks/${endpoint.id}">Webhook</a></p><h1>Delete this webhook?</h1>
<p><code>${endpoint.url}</code></p>
<div class="notice warn"><h2>This cannot be undone</h2><p>We stop all deliveries to it, including pending retries, and erase its secret. Your agent can register the URL again with a new secret.</p></div>
<form class="buttons" method="post" action="/account/webhooks/${endpoint.id}/delete">!${csrfField(asked.csrf)}<button class="button danger" type="submit">Delete the webhook</button> <a class="button quiet" href="/account/webhooks/${endpoint.id}">Cancel</a></form>`,
    })
  },
})

const deletion = defineOwnerRoute({
  method: 'POST',
  path: '/account/webhooks/:id/delete',
  needs: 'session',
  answer: async (asked) => {
    const endpoint = await findEndpoint(asked)
    if (!endpoint) return nothingHere(asked)
    const { db, clock, session } = asked
    const act = { accountId: session.accountId, at: clock.now() }
    await inTransaction(db, async (tx) => {
      await endWebhook(tx, { id: endpoint.id, ...act })
      await recordOwnerAction(tx, { ...act, action: 'owner.delete_webhook', details: { webhook_id: endpoint.id } })
    })
    await waitForWorkers(asked, [endpoint.id])
    return { seeOther: '/account/webhooks' }
  },
})

async function findEndpoint({ db, session, params }: OwnerRequest<'session', unknown>): Promise<Endpoint | undefined> {
  const endpoints = await readWebhooks(db, session.accountId)
  return endpoints.find(({ id }) => id === params['id'])
}

export const webhookPageRoutes = [webhook, askDeletion, deletion]
