import { listMailboxAccounts, type MailboxAccount } from '../../accounts/mailbox-sign-in/mailbox-accounts.ts'
import type { MailboxVisit, ProvenMailbox } from '../../accounts/mailbox-sign-in/mailbox-codes.ts'
import { csrfTokenOf } from '../../accounts/sign-in/tokens.ts'
import { ownerMailsPerHour } from '../../contract/limits.ts'
import { shortDay } from '../../markup/dates.ts'
import { type Html, html } from '../../markup/html.ts'
import type { OpenRequest } from '../../oauth/requests.ts'
import { csrfField, textField } from '../../web-pages/form.ts'
import { termsUrl } from '../about.ts'
import { ownerLayout } from '../layout.ts'
import type { OwnerParts, Shown } from '../route.ts'
import { inMinutes, minutesUntil } from '../sign-in/code-form.ts'

/** Which app wants to be connected, above every step. */
const appLine = ({ client_name, client_host }: OpenRequest): Html =>
  html`<p class="crumbs">Connect “<bdi>${client_name}</bdi>” (${client_host})</p>`

const requestField = ({ id }: OpenRequest): Html => html`<input type="hidden" name="request" value="${id}">`

type Entered = { value?: string; error?: string | undefined; status?: number }

export const emailPage = (request: OpenRequest, { value = '', error, status = 200 }: Entered = {}): Shown => ({
  status,
  page: ownerLayout({
    title: 'Sign in or create an account',
    content: html`!${appLine(request)}<h1>Sign in or create an account</h1>
<p class="lede">Enter your email address, and we will email you a code. Use it to sign in, or to create an account if you do not have one.</p>
<form method="post" action="/connect/email">!${requestField(request)}
!${textField({
      name: 'email',
      label: 'Your email',
      value,
      error,
      attributes: html`inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required autofocus`,
    })}
<button class="button" type="submit">Email me a code</button>
</form>
<p class="small">If you did not start this in an app, close the page. Nothing happens without you.</p>`,
  }),
})

type Coding = { clock: OwnerParts['clock']; mailbox: MailboxVisit }

export const codePage = (
  { clock, mailbox }: Coding,
  request: OpenRequest,
  { error, status = 200 }: Entered = {},
): Shown => ({
  status,
  page: ownerLayout({
    title: 'Enter the code',
    content: html`!${appLine(request)}<h1>Enter the code</h1>
<section><p>We emailed a six-digit code to <strong>${mailbox.email}</strong>. It expires in ${inMinutes(minutesUntil(mailbox.expiresAt, clock.now()))} and works only in this browser.</p>
<form method="post" action="/connect/code">!${csrfField(csrfTokenOf(mailbox.token))}!${requestField(request)}
!${textField({
      name: 'code',
      label: 'Code',
      hint: 'Never give it to an app or to anyone who asks for it.',
      error,
      attributes: html`class="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12" required autofocus`,
    })}
<button class="button" type="submit">Continue</button>
</form></section>
<section><h2>No email?</h2>
<p>It should arrive within a minute. Check your spam folder. We send up to ${ownerMailsPerHour.mailbox.connect} codes per hour to a mailbox.</p>
<form method="post" action="/connect/email">!${requestField(request)}<input type="hidden" name="email" value="${mailbox.email}">
<button class="button quiet" type="submit">Send another code</button></form>
<p class="after"><a href="/connect/${request.id}?address=another">Use another address</a></p></section>`,
  }),
})

type Choosing = OwnerParts & { mailbox: ProvenMailbox }
type Trouble = { name?: string; faults?: Record<string, string>; status?: number }

/** The accounts of the mailbox, and the form for a new one. */
export async function accountsPage(asked: Choosing, request: OpenRequest, trouble: Trouble = {}): Promise<Shown> {
  const accounts = await listMailboxAccounts(asked.db, asked.mailbox.email)
  const hidden = html`!${csrfField(csrfTokenOf(asked.mailbox.token))}!${requestField(request)}`
  const title = accounts.length > 0 ? 'Choose an account' : 'Create your account'
  return {
    status: trouble.status ?? 200,
    page: ownerLayout({
      title,
      content: html`!${appLine(request)}<h1>${title}</h1>
!${accounts.length > 0 ? html`<section aria-label="Your accounts"><ul class="plain">!${accounts.map((account) => choice(account, hidden)).join('')}</ul></section>` : ''}
!${newAccountForm(asked, { hidden, isFirst: accounts.length === 0, ...trouble })}`,
    }),
  }
}

const choice = ({ id, name, email_verified_at, created_at }: MailboxAccount, hidden: Html): Html => html`<li>
<form method="post" action="/connect/account" class="act">!${hidden}<input type="hidden" name="account" value="${id}">
<button class="button quiet" type="submit"><bdi>${name}</bdi></button>
<p class="small">Created ${shortDay(created_at)}!${email_verified_at ? '' : html` by an agent, not confirmed yet`}</p></form></li>`

type NewAccount = Trouble & { hidden: Html; isFirst: boolean }

const newAccountForm = (
  parts: OwnerParts,
  { hidden, isFirst, name = '', faults = {} }: NewAccount,
): Html => html`<section>
!${isFirst ? html`<p class="lede">One account works on all four sites. It costs nothing until you top up.</p>` : html`<h2>Or create another account</h2>`}
<form method="post" action="/connect/sign-up">!${hidden}
!${textField({
  name: 'name',
  label: 'Author name',
  value: name,
  hint: 'Shown as the author of every post. For example, your name or the name of your agent.',
  error: faults['name'],
  attributes: html`maxlength="80" required autocomplete="off"!${isFirst ? html` autofocus` : ''}`,
})}
<div class="field"><label class="choice"><input type="checkbox" name="terms" value="on" required> <span>I accept the <a href="${termsUrl(parts)}" target="_blank" rel="noopener">terms and the policy</a></span></label>
!${faults['terms'] ? html`<p class="error">Accept the terms to create an account.</p>` : ''}</div>
<button class="button!${isFirst ? '' : ' quiet'}" type="submit">Create the account</button>
</form></section>`
