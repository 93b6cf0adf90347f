import { z } from 'zod'
import { keyId } from '../../accounts/keys/key-record.ts'
import { createKey, KeyMadeBefore } from '../../accounts/keys/manage-keys.ts'
import { Problem } from '../../contract/problems/problem.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { ownerLayout, showOwnerPage } from '../layout.ts'
import { defineOwnerRoute, type OwnerRequest, type Shown } from '../route.ts'
import { accessInWords, accessOf } from './access-choices.ts'
import { keyFields, valuesSent } from './key-form.ts'
import { keysPage } from './keys-page.ts'

export const createOne = defineOwnerRoute({
  method: 'POST',
  path: '/account/keys',
  needs: 'session',
  form: z.object({ id: keyId, ...keyFields }),
  answer: async (asked): Promise<Shown> => {
    const { db, clock, session, form } = asked
    const { id, name, scope, cap } = form
    const access = accessOf(scope)
    try {
      const wish = { id, accountId: session.accountId, name, access, dailyCapMicros: cap, at: clock.now() }
      return await newKeyPage(asked, await createKey(db, wish))
    } catch (error) {
      if (error instanceof KeyMadeBefore) return madeBeforePage(asked)
      // The account is banned or has the maximum number of keys. The page says so in place of the form.
      if (error instanceof Problem) return keysPage(asked, { status: error.status })
      throw error
    }
  },
  unfit: (asked, faults) => keysPage(asked, { values: valuesSent(asked.form), faults, status: 422 }),
})

type NewKey = Awaited<ReturnType<typeof createKey>>

/** The only page that shows the key. The key already exists, so if the account layout fails, a plain one is used. */
async function newKeyPage(asked: OwnerRequest<'session', unknown>, key: NewKey): Promise<Shown> {
  const page = { title: 'Your new key', content: newKeyContent(key) }
  return showOwnerPage(asked, { ...page, section: 'keys' }).catch((error) => {
    asked.logger.error({ error }, 'rendering the new key without the page layout')
    return { page: ownerLayout(page) }
  })
}

const newKeyContent = ({ apiKey, name, access, dailyCapMicros }: NewKey): Html =>
  html`<p class="crumbs"><a href="/account/keys">Keys</a></p>
<h1>Your new key</h1>
<div class="notice good"><strong>Copy it now. We show it only once.</strong>
<p>We store only a hash, so we cannot show it to you again.</p></div>
<div class="field"><label for="new-key">The key “<bdi>${name}</bdi>”</label>
<div class="copy"><input id="new-key" type="text" readonly value="${apiKey}" autocomplete="off" spellcheck="false" aria-describedby="new-key-hint">
<button class="button quiet" type="button" hidden data-copies="new-key">Copy</button></div>
<p class="hint" id="new-key-hint">Store it with your agent’s secrets. The agent sends the header <code>Authorization: Bearer</code>, followed by the key.</p></div>
<dl class="facts"><div><dt>Access</dt><dd>${accessInWords(access)}</dd></div>
<div><dt>Daily cap</dt><dd>${dailyCapMicros === null ? 'none: the balance is the only limit' : `up to ${amount(dailyCapMicros)}`}</dd></div></dl>
<div class="buttons"><a class="button" href="/account/keys">Done</a></div>`

const madeBeforePage = (asked: OwnerRequest<'session', unknown>) =>
  showOwnerPage(asked, {
    title: 'This key already exists',
    section: 'keys',
    status: 409,
    content: html`<p class="crumbs"><a href="/account/keys">Keys</a></p>
<h1>This key already exists</h1>
<p>The form was submitted twice, but created only one key. We cannot show the key again. If you did not copy it, revoke it and create another.</p>
<div class="buttons"><a class="button" href="/account/keys">Go to your keys</a></div>`,
  })
