import { recordOwnerAct } from '../../accounts/owner-act.ts'
import { html } from '../../markup/html.ts'
import { csrfField } from '../../page-door/form.ts'
import { when } from '../../page-door/when.ts'
import { inTransaction } from '../../platform/database.ts'
import { endWebhook } from '../../webhooks/delete-webhook.ts'
import { listDeliveries } from '../../webhooks/list-deliveries.ts'
import { readWebhooks } from '../../webhooks/webhook-record.ts'
import { showPage } from '../layout.ts'
import { nothingHere } from '../note-page.ts'
import { readId } from '../own-id.ts'
import { pageLinks } from '../pages.ts'
import { type Asked, defineRoute } from '../route.ts'
import { deliveriesTable } from './deliveries-table.ts'
import { type Endpoint, endpointBadge, endpointNotice } from './endpoint-words.ts'
import { waitForWorkers } from './wait-for-workers.ts'

const deliveriesPerPage = 20

const webhook = defineRoute({
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
    return showPage(asked, {
      title: endpoint.url,
      section: 'webhooks',
      content: html`<p class="crumbs"><a href="/account/webhooks">Webhooks</a></p><h1 class="address">${endpoint.url}</h1>
!${endpointNotice(endpoint)}
<dl class="facts">
<div><dt>Status</dt><dd>!${endpointBadge(endpoint)}</dd></div>
<div><dt>Events</dt><dd>${endpoint.events.join(', ')}</dd></div>
<div><dt>Since</dt><dd>!${when(new Date(endpoint.created_at))}</dd></div>
<div><dt>Identifier</dt><dd><code>${endpoint.id}</code></dd></div>
</dl>
<section aria-labelledby="deliveries"><h2 id="deliveries">Deliveries</h2>!${deliveriesTable(data)}
!${pageLinks(`/account/webhooks/${endpoint.id}`, { before, next: next_cursor })}</section>
<section aria-labelledby="delete"><h2 id="delete">Delete</h2><p class="soft">Your agent can also delete it, or replace its secret, by the API.</p>
<p><a class="button quiet danger" href="/account/webhooks/${endpoint.id}/delete">Delete this webhook</a></p></section>`,
    })
  },
})

const askDeletion = defineRoute({
  method: 'GET',
  path: '/account/webhooks/:id/delete',
  needs: 'session',
  answer: async (asked) => {
    const endpoint = await findEndpoint(asked)
    if (!endpoint) return nothingHere(asked)
    return showPage(asked, {
      title: 'Delete a webhook',
      section: 'webhooks',
      content: html`<p class="crumbs"><a href="/account/webhooks/${endpoint.id}">The webhook</a></p><h1>Delete this webhook?</h1>
<p><code>${endpoint.url}</code></p>
<div class="notice warn"><h2>This cannot be undone</h2><p>Nothing is sent to it any more, deliveries that wait for another attempt included, and its secret is erased. Your agent can register the address again, with a new secret.</p></div>
<form class="buttons" method="post" action="/account/webhooks/${endpoint.id}/delete">!${csrfField(asked.csrf)}<button class="button danger" type="submit">Delete the webhook</button> <a class="button quiet" href="/account/webhooks/${endpoint.id}">Keep it</a></form>`,
    })
  },
})

const deletion = defineRoute({
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
      await recordOwnerAct(tx, { ...act, action: 'owner.delete_webhook', details: { webhook_id: endpoint.id } })
    })
    await waitForWorkers(asked, [endpoint.id])
    return { seeOther: '/account/webhooks' }
  },
})

async function findEndpoint({ db, session, params }: Asked<'session', unknown>): Promise<Endpoint | undefined> {
  const endpoints = await readWebhooks(db, session.accountId)
  return endpoints.find(({ id }) => id === params['id'])
}

export const webhookPageRoutes = [webhook, askDeletion, deletion]
