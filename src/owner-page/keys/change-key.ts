import { z } from 'zod'
import { changeKey } from '../../accounts/keys/change-key.ts'
import type { ListedKey } from '../../accounts/keys/list-keys.ts'
import { html } from '../../markup/html.ts'
import { csrfField } from '../../page-door/form.ts'
import { when } from '../../page-door/when.ts'
import { showPage } from '../layout.ts'
import { type Asked, defineRoute } from '../route.ts'
import { type KeyValues, keyFields, keyInputs, valuesOf, valuesSent } from './key-form.ts'
import { lastUse, withOwnKey } from './own-key.ts'

export const showOne = defineRoute({
  method: 'GET',
  path: '/account/keys/:id',
  needs: 'session',
  answer: (asked) => withOwnKey(asked, (key) => changePage(asked, key, { values: valuesOf(key), faults: {} })),
})

export const changeOne = defineRoute({
  method: 'POST',
  path: '/account/keys/:id',
  needs: 'session',
  form: z.object(keyFields),
  answer: (asked) =>
    withOwnKey(asked, async ({ id }) => {
      const { db, clock, session, form } = asked
      const { name, scope, cap } = form
      await changeKey(db, { accountId: session.accountId, id, name, scope, dailyCapMicros: cap, at: clock.now() })
      return { seeOther: '/account/keys' }
    }),
  unfit: (asked, faults) =>
    withOwnKey(asked, (key) => changePage(asked, key, { values: valuesSent(asked.form), faults, status: 422 })),
})

type State = { values: KeyValues; faults: Record<string, string>; status?: number }

const changePage = (asked: Asked<'session', unknown>, key: ListedKey, { values, faults, status = 200 }: State) =>
  showPage(asked, {
    title: 'Change a key',
    section: 'keys',
    status,
    content: html`<p class="crumbs"><a href="/account/keys">Keys</a></p>
<h1>The key “<bdi>${key.name}</bdi>”</h1>
<p class="lede">It ends in <code>…${key.last4}</code>, was created !${when(key.created_at)} and !${lastUse(key)}. What you change holds from its next call on.</p>
<form method="post" action="/account/keys/${key.id}" class="narrow">!${csrfField(asked.csrf)}
!${keyInputs(values, faults)}
<div class="buttons"><button class="button" type="submit">Save</button><a class="button quiet" href="/account/keys">Cancel</a>
<a class="button quiet danger" href="/account/keys/${key.id}/revoke">Revoke this key</a></div></form>`,
  })
