import type { ListedKey } from '../../accounts/keys/list-keys.ts'
import { revokeKey } from '../../accounts/keys/revoke-key.ts'
import { html } from '../../markup/html.ts'
import { csrfField } from '../../page-door/form.ts'
import { showPage } from '../layout.ts'
import { type Asked, defineRoute } from '../route.ts'
import { lastUse, withOwnKey } from './own-key.ts'

const path = '/account/keys/:id/revoke'

export const askToRevoke = defineRoute({
  method: 'GET',
  path,
  needs: 'session',
  answer: (asked) => withOwnKey(asked, (key) => revokePage(asked, key)),
})

export const revokeOne = defineRoute({
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

const revokePage = (asked: Asked<'session', unknown>, key: ListedKey) =>
  showPage(asked, {
    title: 'Revoke a key',
    section: 'keys',
    content: html`<p class="crumbs"><a href="/account/keys">Keys</a></p>
<h1>Revoke “<bdi>${key.name}</bdi>”?</h1>
<p>The key ends in <code>…${key.last4}</code> and !${lastUse(key)}.</p>
<div class="notice warn"><strong>This cannot be undone</strong>
<p>From this moment on every call with it is refused: the agent that has it can no longer post, edit, search or read your account. What it has posted stays, and so do your webhooks and your other keys. To let the agent in again, create a new key and give it that.</p></div>
<form method="post" action="/account/keys/${key.id}/revoke">!${csrfField(asked.csrf)}
<div class="buttons"><button class="button danger" type="submit">Revoke the key</button><a class="button quiet" href="/account/keys">Keep it</a></div></form>`,
  })
