import { type Html, html } from '../../markup/html.ts'
import { textField } from '../../page-door/form.ts'
import { type ChainEntry, readAuditHead, writeEntry } from '../../platform/audit-chain.ts'
import { showPage } from '../layout.ts'
import { defineRoute } from '../route.ts'
import { logTable } from './log-table.ts'
import { type LogFilter, readLog } from './read-log.ts'

const rowsPerPage = 50

export const showLog = defineRoute({
  method: 'GET',
  path: '/log',
  needs: 'admin',
  answer: async (asked) => {
    const { db, query } = asked
    const filter = readFilter(query)
    const before = readPlace(query['before'])
    const found = await readLog(db, { filter, before, limit: rowsPerPage + 1 })
    const entries = found.slice(0, rowsPerPage)
    const next = found.length > rowsPerPage ? entries.at(-1)?.position : undefined
    const list =
      entries.length === 0
        ? nothingFound(filter, before)
        : html`!${logTable(entries)}!${pageLinks(filter, { before, next })}`
    return showPage(asked, {
      title: 'Log',
      section: 'log',
      content: html`<h1>Log</h1>
<p class="lede">Every act of staff, owners, operators and the system itself. Entries are only ever added.</p>
!${chainHead(await readAuditHead(db))}
!${filterForm(filter)}
!${list}`,
    })
  },
})

const maxLength = 80

function readFilter(query: Record<string, string>): LogFilter {
  const read = (name: keyof LogFilter) => (query[name] ?? '').trim().slice(0, maxLength)
  // As the table shows a member, beside the name.
  return { actor: read('actor').replace(/^staff_/, 'staff:staff_'), account: read('account'), about: read('about') }
}

/** Null for what is no place in the chain: the log is shown from its newest. */
const readPlace = (text: string | undefined) => (text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null)

/** In the form that `audit verify` takes. */
const chainHead = (head: ChainEntry | null): Html =>
  head
    ? html`<div class="notice"><p>The log has ${head.position.toLocaleString('en')} !${head.position === 1 ? 'entry' : 'entries'}, each bound to all before it. Its head is now:</p>
<p><code>${writeEntry(head)}</code></p>
<p class="small">Keep that line somewhere else. <code>npm run broadside -- audit verify --expect &lt;line&gt;</code> later computes the whole chain anew, and says whether anything before it was changed.</p></div>`
    : ''

const filterForm = ({
  actor,
  account,
  about,
}: LogFilter): Html => html`<form class="log-filter" method="get" action="/log">
<div class="fields">
!${textField({ name: 'actor', label: 'Who', value: actor, attributes: plain('staff_…') })}
!${textField({ name: 'account', label: 'Account', value: account, attributes: plain('acct_…') })}
!${textField({ name: 'about', label: 'Case or post', value: about, attributes: plain('post_…') })}
<div class="field buttons"><button class="button quiet" type="submit">Show</button>!${
  actor + account + about === '' ? '' : html`<a href="/log">Show all</a>`
}</div>
</div></form>`

const plain = (placeholder: string): Html =>
  html`maxlength="${maxLength}" placeholder="${placeholder}" autocomplete="off" autocapitalize="off" spellcheck="false"`

const nothingFound = ({ actor, account, about }: LogFilter, before: number | null): Html =>
  actor + account + about === '' && before === null
    ? html`<div class="empty"><p>Nothing was done yet</p><p>The first act of anybody is written here.</p></div>`
    : html`<div class="empty"><p>No entry fits</p><p>Who, account and case must be given in full, as the log has them. <a href="/log">Show all</a></p></div>`

type Pages = { before: number | null; next: number | undefined }

function pageLinks(filter: LogFilter, { before, next }: Pages): Html {
  if (before === null && next === undefined) return ''
  const given = Object.entries(filter).filter(([, value]) => value !== '')
  const to = (more: Record<string, string>) => `/log?${new URLSearchParams([...given, ...Object.entries(more)])}`
  return html`<nav class="pages" aria-label="Pages">
!${before === null ? html`<span></span>` : html`<a href="${to({})}">Newest</a>`}
!${next === undefined ? html`<span></span>` : html`<a href="${to({ before: String(next) })}" rel="next">Older</a>`}
</nav>`
}
