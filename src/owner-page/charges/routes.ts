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
        ? html`<div class="empty"><p>No charges yet</p><p>Charges, refunds and top-ups appear here.</p></div>`
        : html`!${chargesTable(rows, baseUrls)}!${pageLinks('/account/charges', { before, next })}`
    return showOwnerPage(asked, {
      title: 'All charges',
      section: 'money',
      content: html`<p class="crumbs"><a href="/account/money">Money</a></p><h1>All charges</h1>
<p class="lede">Every change to your balance, with its reason.</p>
!${list}`,
    })
  },
})

export const chargeRoutes = [charges]
