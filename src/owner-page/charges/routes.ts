import { html } from '../../markup/html.ts'
import { showOwnerPage } from '../layout.ts'
import { firstPage, pageLinks, rowsPerPage } from '../pagination.ts'
import { readId } from '../read-id.ts'
import { defineOwnerRoute } from '../route.ts'
import { chargesTable } from './charges-table.ts'
import { exportCharges } from './export-charges.ts'
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
        ? html`<div class="empty"><p>No transactions yet</p><p>Charges, refunds and top-ups appear here.</p></div>`
        : html`!${chargesTable(rows, baseUrls)}!${pageLinks('/account/charges', { before, next })}`
    return showOwnerPage(asked, {
      title: 'All transactions',
      section: 'money',
      content: html`<p class="crumbs"><a href="/account/money">Money</a></p><h1>All transactions</h1>
<p class="lede">Every change to your balance, with its reason.!${rows.length > 0 ? html` <a href="/account/charges.csv" download>Download as CSV</a>` : ''}</p>
!${list}`,
    })
  },
})

export const chargeRoutes = [charges, exportCharges]
