import { type Html, html } from '../../markup/html.ts'
import { when } from '../../page-door/when.ts'
import type { LogEntry } from './read-log.ts'

/** Entries with their place in the chain. Who, account and case lead to all that is known of them. */
export const logTable = (entries: readonly LogEntry[]): Html => html`<table class="cards log">
<caption class="unseen">Entries of the log, the newest first</caption>
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

/** Codes and identifiers, of which some lead on. The key of a case says what it is. */
function shown(name: string, value: unknown): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (name === 'case' || name === 'post_id') return leadingTo('about', text)
  const linked = name === 'staff_id' || name === 'held_by'
  return html`${name.replaceAll('_', ' ')}: !${linked ? leadingTo('actor', `staff:${text}`, text) : html`${text}`}`
}
