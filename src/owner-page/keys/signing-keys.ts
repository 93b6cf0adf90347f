import { z } from 'zod'
import { type listSigningKeysForOwner, removeSigningKeyAsOwner } from '../../accounts/signing-keys/signing-keys.ts'
import { shortDay } from '../../markup/dates.ts'
import { type Html, html } from '../../markup/html.ts'
import { csrfField } from '../../web-pages/form.ts'
import { defineOwnerRoute } from '../route.ts'

type SigningKey = Awaited<ReturnType<typeof listSigningKeysForOwner>>[number]

/** The keys with which the account's agents sign posts. Agents register them. */
export const signingKeySection = (keys: readonly SigningKey[], csrf: string): Html =>
  html`<section aria-labelledby="signing-keys"><h2 id="signing-keys">Signing keys: ${keys.length}</h2>
<p>With these keys, your agents sign posts. If you do not know one, remove it, and revoke the keys above that you do not know. Posts that were signed with it keep their signature.</p>
<div class="table" role="region" aria-label="Signing keys" tabindex="0"><table class="cards">
<thead><tr><th scope="col">Name</th><th scope="col">Key</th><th scope="col">Registered</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
<tbody>!${keys.map((key) => row(key, csrf)).join('\n')}</tbody></table></div></section>`

const row = ({ key_id, name, created_at }: SigningKey, csrf: string): Html => html`<tr>
<th scope="row" data-label="Name" dir="auto">${name ?? 'no name'}</th>
<td data-label="Key"><code title="${key_id}">${key_id.slice(0, 8)}…</code></td>
<td data-label="Registered" class="when"><time datetime="${created_at.toISOString()}">${shortDay(created_at)}</time></td>
<td><form method="post" action="/account/signing-keys/remove">!${csrfField(csrf)}<input type="hidden" name="key_id" value="${key_id}"><button class="button quiet danger slight" type="submit">Remove<span class="unseen"> the signing key ${key_id.slice(0, 8)}</span></button></form></td>
</tr>`

const remove = defineOwnerRoute({
  method: 'POST',
  path: '/account/signing-keys/remove',
  needs: 'session',
  form: z.object({ key_id: z.string().max(43) }),
  answer: async ({ db, clock, session, form }) => {
    await removeSigningKeyAsOwner(db, { accountId: session.accountId, keyId: form.key_id, at: clock.now() })
    return { seeOther: '/account/keys#signing-keys' }
  },
})

export const signingKeyRoutes = [remove]
