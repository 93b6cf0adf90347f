import { listSessions } from '../../accounts/sign-in/session.ts'
import { html } from '../../markup/html.ts'
import { when } from '../../page-door/when.ts'
import { showPage } from '../layout.ts'
import { defineRoute } from '../route.ts'

const settings = defineRoute({
  method: 'GET',
  path: '/account/settings',
  needs: 'session',
  answer: async (asked) => {
    const { db, clock, session } = asked
    const sessions = await listSessions(db, session.accountId, clock.now())
    const account = await db
      .selectFrom('accounts')
      .select(['name', 'email', 'created_at'])
      .where('id', '=', session.accountId)
      .executeTakeFirstOrThrow()
    return showPage(asked, {
      title: 'Settings',
      section: 'settings',
      content: html`<h1>Settings</h1>
<dl class="facts">
<div><dt>Account</dt><dd dir="auto">${account.name}</dd></div>
<div><dt>Identifier</dt><dd><code>${session.accountId}</code></dd></div>
<div><dt>Since</dt><dd>!${when(account.created_at)}</dd></div>
<div><dt>Email</dt><dd>${account.email} · <a href="/account/email">Change it</a></dd></div>
<div><dt>Sessions</dt><dd>${sessions.length === 1 ? 'This one only' : `${sessions.length} browsers are signed in`} · <a href="/account/sessions">See them, and sign out</a></dd></div>
</dl>
<section aria-labelledby="delete"><h2 id="delete">Delete the account</h2>
<p>Keys die at once, and everything personal is erased. What was published stays, without a link to you.</p>
<p><a class="button quiet danger" href="/account/deletion">Look at what would be deleted</a></p></section>`,
    })
  },
})

export const settingsRoutes = [settings]
