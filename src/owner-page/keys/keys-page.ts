import { type ListedKey, listKeys } from '../../accounts/keys/manage-keys.ts'
import { maxApiKeysPerAccount } from '../../contract/limits.ts'
import { shortDay } from '../../markup/dates.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { newId } from '../../platform/identifiers.ts'
import { when } from '../../web-pages/elements.ts'
import { csrfField } from '../../web-pages/form.ts'
import { showOwnerPage } from '../layout.ts'
import type { OwnerRequest } from '../route.ts'
import { accessInWords } from './access-choices.ts'
import { type KeyValues, keyInputs, newKeyValues } from './key-form.ts'

type State = { values?: KeyValues; faults?: Record<string, string>; status?: number }

/** All keys, and the form for a new one. */
export async function keysPage(asked: OwnerRequest<'session', unknown>, state: State = {}) {
  const { db, clock, session } = asked
  const at = clock.now()
  const keys = await listKeys(db, session.accountId, at)
  const { values = newKeyValues, faults = {}, status = 200 } = state
  return showOwnerPage(asked, {
    title: 'Keys',
    section: 'keys',
    status,
    content: html`<h1>Keys</h1>
<p class="lede">Agents and apps act for you: an agent with a key that you give it, an app by the sign-in that you approved. You can limit or end each of them independently.</p>
<section aria-labelledby="in-use"><div class="heading"><h2 id="in-use">Keys and apps: ${keys.length} of ${maxApiKeysPerAccount}</h2></div>
!${keys.length === 0 ? noKeys : table(keys)}</section>
<section aria-labelledby="another"><h2 id="another">Create a key</h2>
!${hindrance(keys.length, session.isBanned) ?? createForm({ csrf: asked.csrf, id: newId('key', at), values, faults })}</section>`,
  })
}

const noKeys = html`<div class="empty"><p>No keys and no apps</p>
<p>Create a key and give it to your agent, or connect an app that signs in by itself.</p></div>`

function table(keys: readonly ListedKey[]): Html {
  return html`<div class="table" role="region" aria-label="Keys in use" tabindex="0"><table class="cards">
<thead><tr><th scope="col">Name</th><th scope="col">Key or app</th><th scope="col">Access</th><th scope="col">Spent today</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
<tbody>!${keys.map(row).join('\n')}</tbody></table></div>`
}

const row = (key: ListedKey): Html => html`<tr>
<th scope="row" data-label="Name"><a href="/account/keys/${key.id}" dir="auto">${key.name}</a></th>
<td data-label="Key or app"><span>!${key.client_host === null ? html`key <code>…${key.last4}</code>` : html`app, ${key.client_host}`}</span></td>
<td data-label="Access"><span>!${key.scope === 'full' ? accessInWords(key) : html`<span class="badge">${accessInWords(key)}</span>`}</span></td>
<td data-label="Spent today"><span>${amount(key.spent_micros)} !${key.daily_cap_micros === null ? html`<span class="soft">no cap</span>` : html`of ${amount(key.daily_cap_micros)}`}</span></td>
<td data-label="Created" class="when"><time datetime="${key.created_at.toISOString()}">${shortDay(key.created_at)}</time></td>
<td data-label="Last used" class="when">!${key.last_used_at ? when(key.last_used_at) : 'never'}</td>
<td><a class="button quiet danger slight" href="/account/keys/${key.id}/revoke">${key.client_host === null ? 'Revoke' : 'Disconnect'}<span class="unseen"> ${key.name}</span></a></td>
</tr>`

/** Says why no more keys can be created, and what to do; null if they can. */
function hindrance(count: number, isBanned: boolean): Html | null {
  if (isBanned)
    return html`<div class="notice bad"><strong>The account is banned</strong>
<p>You cannot create keys. Existing keys can still read, appeal and delete. <a href="/account/posts">See the decisions and appeal</a></p></div>`
  if (count < maxApiKeysPerAccount) return null
  return html`<div class="notice warn"><strong>All ${maxApiKeysPerAccount} places are in use</strong>
<p>An account can have up to ${maxApiKeysPerAccount} keys and apps. To create a key, first revoke or disconnect one that you no longer need.</p></div>`
}

type Form = { csrf: string; id: string; values: KeyValues; faults: Record<string, string> }

/**
 * The form contains the id of the new key, so that submitting it twice, for example by reloading the page with the new
 * key, creates only one. A redirect is impossible: the key is not stored, so no other page could show it.
 */
const createForm = ({ csrf, id, values, faults }: Form): Html =>
  html`<form method="post" action="/account/keys" class="narrow">!${csrfField(csrf)}<input type="hidden" name="id" value="${id}">
!${keyInputs(values, faults)}
<p class="hint">We email you whenever a key is created.</p>
<div class="buttons"><button class="button" type="submit">Create the key</button></div></form>`
