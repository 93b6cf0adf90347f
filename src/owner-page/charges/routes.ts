import { html } from '../../markup/html.ts'
import { showOwnerPage } from '../layout.ts'
import { firstPage, pageLinks, rowsPerPage } from '../pagination.ts'
import { readId } from '../read-id.ts'
import { defineOwnerRoute } from '../route.ts'
import { chargesTable } from './charges-table.ts'
import { listCharges } from './list-charges.ts'

const charges = defineOwnerRoute({
  method: 'GET',
  path: '/account/charges',
  needs: 'session',
  answer: async (asked) => {
    const { db, session, query, baseUrls } = asked
    const before = readId('txn', query['before'])
    const found = await listCharges(db, { accountId: session.accountId, before, limit: rowsPerPage + 1 })
    const { rows, next } = firstPage(found, ({ id }) => id)
    const list =
      rows.length === 0
        ? html`<div class="empty"><p>No money has moved yet</p><p>Every charge, refund and top-up will be listed here.</p></div>`
        : html`!${chargesTable(rows, baseUrls)}!${pageLinks('/account/charges', { before, next })}`
    return showOwnerPage(asked, {
      title: 'Every charge',
      section: 'money',
      content: html`<p class="crumbs"><a href="/account/money">Money</a></p><h1>Every charge</h1>
<p class="lede">All that came in and went out of the balance, with what it was for.</p>
!${list}`,
    })
  },
})

export const chargeRoutes = [charges]
