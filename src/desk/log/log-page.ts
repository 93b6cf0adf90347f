import { type Html, html } from '../../markup/html.ts'
import { type ChainEntry, readAuditHead, writeEntry } from '../../platform/audit-chain.ts'
import { when } from '../../web-pages/elements.ts'
import { textField } from '../../web-pages/form.ts'
import { showDeskPage } from '../layout.ts'
import { defineDeskRoute } from '../route.ts'
import { type LogEntry, type LogFilter, readLog } from './read-log.ts'

const rowsPerPage = 50

export const showLog = defineDeskRoute({
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
    return showDeskPage(asked, {
      title: 'Log',
      section: 'log',
      content: html`<h1>Log</h1>
<p class="lede">Every action by staff, owners, operators and the system. Entries are never changed or deleted.</p>
!${chainHead(await readAuditHead(db))}
!${filterForm(filter)}
!${list}`,
    })
  },
})

const maxLength = 80

function readFilter(query: Record<string, string>): LogFilter {
  const read = (name: keyof LogFilter) => (query[name] ?? '').trim().slice(0, maxLength)
  // The table shows a member's id without this prefix.
  return { actor: read('actor').replace(/^staff_/, 'staff:staff_'), account: read('account'), about: read('about') }
}

/** Null if the position is missing or invalid: the page then starts at the newest entry. */
const readPlace = (text: string | undefined) => (text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null)

/** In the format that `audit verify` accepts. */
const chainHead = (head: ChainEntry | null): Html =>
  head
    ? html`<div class="notice"><p>The log has ${head.position.toLocaleString('en')} !${head.position === 1 ? 'entry' : 'entries'}, each hash-linked to the one before it. The current head is:</p>
<p><code>${writeEntry(head)}</code></p>
<p class="small">Store this line outside this service. <code>npm run broadside -- audit verify --expect &lt;line&gt;</code> then recomputes the whole chain and reports whether any earlier entry was changed.</p></div>`
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
    ? html`<div class="empty"><p>The log is empty</p><p>The first action will appear here.</p></div>`
    : html`<div class="empty"><p>No matching entries</p><p>Enter the full values, exactly as the log shows them. <a href="/log">Show all</a></p></div>`

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

/** Entries with their position in the chain. Each actor, account and case links to all its entries. */
export const logTable = (entries: readonly LogEntry[]): Html => html`<table class="cards log">
<caption class="unseen">Log entries, newest first</caption>
<thead><tr><th scope="col">No.</th><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Account</th></tr></thead>
<tbody>!${entries.map(row).join('\n')}</tbody>
</table>`

const row = ({ position, at, actor, actor_name, action, account_id, details }: LogEntry): Html => html`<tr>
<th scope="row" class="when" data-label="No.">${position}</th>
<td class="when" data-label="When">!${when(at)}</td>
<td class="wide" data-label="Who"><span>!${actor_name ? html`<bdi>${actor_name}</bdi> ` : ''}!${leadingTo('actor', actor, actor.replace(/^staff:/, ''))}</span></td>
<td class="wide" data-label="What"><span>${action}!${detailList(details)}</span></td>
<td class="wide!${account_id ? '' : html` none`}" data-label="Account">!${account_id ? leadingTo('account', account_id) : '–'}</td>
</tr>`

const leadingTo = (name: 'actor' | 'account' | 'about', value: string, label = value): Html =>
  html`<a class="id" href="/log?${new URLSearchParams({ [name]: value })}">${label}</a>`

function detailList(details: Record<string, unknown>): Html {
  const given = Object.entries(details).filter(([, value]) => value !== null)
  if (given.length === 0) return ''
  return html`<span class="under">!${given.map(([name, value]) => html`<span class="detail">!${shown(name, value)}</span>`).join(' ')}</span>`
}

/** A detail of an entry. Cases, posts and staff are links. Case keys and post ids need no label. */
function shown(name: string, value: unknown): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (name === 'case' || name === 'post_id') return leadingTo('about', text)
  const linked = name === 'staff_id' || name === 'held_by'
  return html`${name.replaceAll('_', ' ')}: !${linked ? leadingTo('actor', `staff:${text}`, text) : html`${text}`}`
}
