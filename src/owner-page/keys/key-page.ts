import { z } from 'zod'
import { changeKey, findKey, type ListedKey, revokeKey } from '../../accounts/keys/manage-keys.ts'
import { Problem } from '../../contract/problems/problem.ts'
import { type Html, html } from '../../markup/html.ts'
import { when } from '../../web-pages/elements.ts'
import { csrfField } from '../../web-pages/form.ts'
import { nothingHere, showOwnerPage } from '../layout.ts'
import { readId } from '../read-id.ts'
import { defineOwnerRoute, type OwnerRequest, type Shown } from '../route.ts'
import { accessOf } from './access-choices.ts'
import { type KeyValues, keyFields, keyInputs, valuesOf, valuesSent } from './key-form.ts'

/**
 * Calls `goOn` with the key in the URL. Shows 404 if another account owns the key or it is revoked, even concurrently.
 */
export async function withOwnKey(
  asked: OwnerRequest<'session', unknown>,
  goOn: (key: ListedKey) => Promise<Shown>,
): Promise<Shown> {
  const { db, clock, session, params } = asked
  const id = readId('key', params['id'])
  const key = id ? await findKey(db, { accountId: session.accountId, id, at: clock.now() }) : undefined
  if (!key) return nothingHere(asked)
  return goOn(key).catch((error) => {
    if (error instanceof Problem && error.code === 'key_not_found') return nothingHere(asked)
    throw error
  })
}

/** `was last used 15 Nov 2026, 12:00 UTC` */
export const lastUse = ({ last_used_at }: ListedKey): Html =>
  last_used_at ? html`was last used !${when(last_used_at)}` : html`has never been used`

export const showOne = defineOwnerRoute({
  method: 'GET',
  path: '/account/keys/:id',
  needs: 'session',
  answer: (asked) => withOwnKey(asked, (key) => changePage(asked, key, { values: valuesOf(key), faults: {} })),
})

export const changeOne = defineOwnerRoute({
  method: 'POST',
  path: '/account/keys/:id',
  needs: 'session',
  form: z.object(keyFields),
  answer: (asked) =>
    withOwnKey(asked, async (key) => {
      const { db, clock, session, form } = asked
      const { name, scope, cap } = form
      const change = { name, access: accessOf(scope, key), dailyCapMicros: cap, at: clock.now() }
      await changeKey(db, { accountId: session.accountId, id: key.id, ...change })
      return { seeOther: '/account/keys' }
    }),
  unfit: (asked, faults) =>
    withOwnKey(asked, (key) => changePage(asked, key, { values: valuesSent(asked.form), faults, status: 422 })),
})

type State = { values: KeyValues; faults: Record<string, string>; status?: number }

const changePage = (asked: OwnerRequest<'session', unknown>, key: ListedKey, { values, faults, status = 200 }: State) =>
  showOwnerPage(asked, {
    title: `Change a${key.client_host === null ? ' key' : 'n app'}`,
    section: 'keys',
    status,
    content: html`<p class="crumbs"><a href="/account/keys">Keys</a></p>
<h1>The ${nounOf(key)} “<bdi>${key.name}</bdi>”</h1>
<p class="lede">!${key.client_host === null ? html`It ends in <code>…${key.last4}</code>, was created` : html`It is from ${key.client_host}, was connected`} !${when(key.created_at)} and !${lastUse(key)}. Changes apply from its next call.</p>
<form method="post" action="/account/keys/${key.id}" class="narrow">!${csrfField(asked.csrf)}
!${keyInputs(values, faults, key)}
<div class="buttons"><button class="button" type="submit">Save</button><a class="button quiet" href="/account/keys">Cancel</a>
<a class="button quiet danger" href="/account/keys/${key.id}/revoke">${endOf(key)} this ${nounOf(key)}</a></div></form>`,
  })

const nounOf = ({ client_host }: ListedKey) => (client_host === null ? 'key' : 'app')
const endOf = ({ client_host }: ListedKey) => (client_host === null ? 'Revoke' : 'Disconnect')

const keyWarning = html`<div class="notice warn"><strong>This cannot be undone</strong>
<p>Every call with this key will fail from now on. The agent that uses it can no longer post, edit, search or read your account. Its posts, your webhooks and your other keys are not affected. To give the agent access again, create a new key.</p></div>`

const appWarning = html`<div class="notice warn"><strong>The app loses access at once</strong>
<p>It can no longer post, edit, search or read your account. Its posts, its drafts and your webhooks are not affected. To give it access again, connect it in the app.</p></div>`

const path = '/account/keys/:id/revoke'

export const askToRevoke = defineOwnerRoute({
  method: 'GET',
  path,
  needs: 'session',
  answer: (asked) => withOwnKey(asked, (key) => revokePage(asked, key)),
})

export const revokeOne = defineOwnerRoute({
  method: 'POST',
  path,
  needs: 'session',
  answer: (asked) =>
    withOwnKey(asked, async ({ id }) => {
      const { db, clock, session } = asked
      await revokeKey(db, { accountId: session.accountId, id, at: clock.now() })
      return { seeOther: '/account/keys' }
    }),
})

const revokePage = (asked: OwnerRequest<'session', unknown>, key: ListedKey) =>
  showOwnerPage(asked, {
    title: `${endOf(key)} “${key.name}”`,
    section: 'keys',
    content: html`<p class="crumbs"><a href="/account/keys">Keys</a></p>
<h1>${endOf(key)} “<bdi>${key.name}</bdi>”?</h1>
<p>!${key.client_host === null ? html`The key ends in <code>…${key.last4}</code>` : html`The app is from ${key.client_host}`} and !${lastUse(key)}.</p>
!${key.client_host === null ? keyWarning : appWarning}
<form method="post" action="/account/keys/${key.id}/revoke">!${csrfField(asked.csrf)}
<div class="buttons"><button class="button danger" type="submit">${endOf(key)} the ${nounOf(key)}</button><a class="button quiet" href="/account/keys">Cancel</a></div></form>`,
  })
