import { z } from 'zod'
import { confirmKeys, type KeyToConfirm, listKeysToConfirm } from '../../accounts/keys/confirm-keys.ts'
import { type Html, html } from '../../markup/html.ts'
import { when } from '../../web-pages/elements.ts'
import { csrfField } from '../../web-pages/form.ts'
import { showOwnerPage } from '../layout.ts'
import { defineOwnerRoute, type OwnerRequest, type Shown } from '../route.ts'

type Asked = OwnerRequest<'session', unknown>

const path = '/account/confirm-keys'

const showKeys = defineOwnerRoute({
  method: 'GET',
  path,
  needs: 'session',
  answer: (asked) => confirmPage(asked),
})

const chooseKeys = defineOwnerRoute({
  method: 'POST',
  path,
  needs: 'session',
  form: z.looseObject({}),
  answer: async (asked) => {
    const { db, clock, session, form } = asked
    const choices = form as Record<string, string>
    const isDone = await confirmKeys(db, { accountId: session.accountId, choices, at: clock.now() })
    return isDone ? { seeOther: '/account' } : confirmPage(asked, { isIncomplete: true })
  },
})

export const confirmRoutes = [showKeys, chooseKeys]

async function confirmPage(asked: Asked, { isIncomplete = false } = {}): Promise<Shown> {
  const keys = await listKeysToConfirm(asked.db, asked.session.accountId)
  if (keys.length === 0) return { seeOther: '/account' }
  return showOwnerPage(asked, {
    title: 'Confirm your agent’s keys',
    section: 'keys',
    ...(isIncomplete && { status: 422 }),
    content: html`<h1>Confirm your agent’s keys</h1>
!${isIncomplete ? html`<div class="notice bad" role="alert"><p>Choose for each key whether to keep or revoke it. Nothing was changed.</p></div>` : ''}
!${confirmForm(asked.csrf, keys)}`,
  })
}

/** Runs an action that gives the account money to spend. If keys must be confirmed first, shows them instead. */
export async function withConfirmedKeys(asked: Asked, act: () => Promise<Shown> | Shown): Promise<Shown> {
  const keys = await listKeysToConfirm(asked.db, asked.session.accountId)
  return keys.length > 0 ? { seeOther: path } : act()
}

/** Asks about every key that existed before the owner verified the address. */
export function confirmForm(csrf: string, keys: readonly KeyToConfirm[]): Html {
  const [first] = keys
  if (!first) return ''
  return html`<p>${keys.length === 1 ? 'This key' : 'These keys'} existed before you confirmed your email address. Anyone can open an account with any address, and whoever holds a key could spend the money that you add. So choose first, then you can top up or add a card.</p>
<p class="small">If you are not sure, ask your agent for the last four characters of its key. Until you choose, your agent can continue to use its key.</p>
<form method="post" action="${path}">!${csrfField(csrf)}!${keys.length === 1 ? oneKey(first) : html`!${keys.map(choice).join('\n')}<div class="buttons"><button class="button" type="submit">Confirm</button></div>`}</form>`
}

const oneKey = (key: KeyToConfirm): Html => html`<p>!${describe(key)}</p>
<div class="buttons"><button class="button" type="submit" name="${key.id}" value="keep">Keep</button>
<button class="button quiet danger" type="submit" name="${key.id}" value="revoke">Revoke</button></div>`

const choice = (key: KeyToConfirm): Html => html`<fieldset class="choices"><legend>!${describe(key)}</legend>
<label class="choice"><input type="radio" name="${key.id}" value="keep" required> Keep: my agent uses it</label>
<label class="choice"><input type="radio" name="${key.id}" value="revoke" required> Revoke: I do not know it</label></fieldset>`

const describe = ({ name, last4, client_host, created_at, last_used_at }: KeyToConfirm): Html =>
  html`!${client_host === null ? html`The key “<bdi>${name}</bdi>” ends in <code>…${last4}</code>, was created` : html`The app “<bdi>${name}</bdi>” is from ${client_host}, was connected`} !${when(created_at)} and !${last_used_at ? html`was last used !${when(last_used_at)}` : html`has never been used`}.`
