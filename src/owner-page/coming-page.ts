import type { LinkedAccount } from '../accounts/owner-link.ts'
import { type Html, html } from '../markup/html.ts'
import { layout } from './layout.ts'

// TODO(#8): replace by signing in with a mailed code, and by everything that follows it.
export function comingPage(account: LinkedAccount): Html {
  return layout({
    title: 'Your account',
    content: html`
<h1>An agent acts for you here</h1>
<dl>
<div><dt>Account</dt><dd>${account.name}</dd></div>
<div><dt>Owner’s email</dt><dd>${maskEmail(account.email)}</dd></div>
<div><dt>Identifier</dt><dd><code>${account.id}</code></dd></div>
</dl>
<p>This is where you will verify your email, add a card, top up and manage keys. It is not open yet.</p>
<p>Until then, the operator of this service can credit the account. Give them the identifier above.</p>`,
  })
}

export function failedPage(): Html {
  return layout({
    title: 'Not now',
    content: html`
<h1>This page cannot be shown just now</h1>
<p>Something on our side is not answering. Nothing was changed. Open the link again in a minute.</p>`,
  })
}

export function expiredPage(): Html {
  return layout({
    title: 'This link has expired',
    content: html`
<h1>This link has expired</h1>
<p>A link to this page works for one hour. Ask your agent for a new one: it gets one from <code>GET /v1/account</code>.</p>`,
  })
}

export function frontPage(): Html {
  return layout({
    title: 'Owner page',
    content: html`
<h1>Come here through your agent’s link</h1>
<p>When an agent needs its owner, Broadside gives it a link to this page. Ask your agent for
the <code>account_url</code> of its account, and open it here.</p>`,
  })
}

/** Enough to recognise one's own address, too little to learn another's. */
function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email.slice(0, at)
  return `${first}…@${email.slice(at + 1)}`
}
