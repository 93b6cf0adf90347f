import { z } from 'zod'
import { askToChangeEmail, changeEmail } from '../../accounts/sign-in/change-email.ts'
import { findSentCode } from '../../accounts/sign-in/codes.ts'
import { type Html, html } from '../../markup/html.ts'
import { when } from '../../web-pages/elements.ts'
import { csrfField, textField } from '../../web-pages/form.ts'
import { showOwnerPage } from '../layout.ts'
import { defineOwnerRoute, type OwnerRequest, type Shown } from '../route.ts'
import { codeForm, minutesUntil, sixDigits, tooManyPage, typedAddress, wrongCode } from './code-form.ts'

const showEmail = defineOwnerRoute({
  method: 'GET',
  path: '/account/email',
  needs: 'session',
  answer: (asked) => emailPage(asked),
})

const askForChange = defineOwnerRoute({
  method: 'POST',
  path: '/account/email',
  needs: 'session',
  form: z.object({ email: typedAddress }),
  answer: async ({ db, clock, sealing, session, form: { email } }) => {
    const at = clock.now()
    const asked = await askToChangeEmail(db, sealing, { session, email, at })
    if (!('againAt' in asked)) return { seeOther: '/account/email' }
    const { accountId, token } = session
    const sent = await findSentCode(db, { accountId, purpose: 'change_email', askedBy: token, at })
    return tooManyPage({
      minutes: minutesUntil(asked.againAt, at),
      enteredAt: sent ? '/account/email' : null,
      isMailedLinkOpen: false,
    })
  },
  unfit: (asked, { email }) => emailPage(asked, { given: asked.form['email'] ?? '', emailError: email }),
})

const enterCode = defineOwnerRoute({
  method: 'POST',
  path: '/account/email/code',
  needs: 'session',
  form: z.object({ code: sixDigits }),
  answer: async (asked) => {
    const { db, clock, sealing, session, form } = asked
    const entered = await changeEmail(db, sealing, { session, code: form.code, at: clock.now() })
    if (entered === 'over') return emailPage(asked, { isOver: true })
    if ('triesLeft' in entered) return emailPage(asked, { codeError: wrongCode(entered.triesLeft) })
    return { seeOther: '/account/email' }
  },
  unfit: (asked, { code }) => emailPage(asked, { codeError: code }),
})

type Trouble = { given?: string; emailError?: string | undefined; codeError?: string | undefined; isOver?: boolean }

/** The current address, the form for a new address, and the form for the code if one was sent. */
async function emailPage(asked: OwnerRequest<'session', unknown>, trouble?: Trouble): Promise<Shown> {
  const { db, clock, session, csrf } = asked
  const { accountId, token } = session
  const at = clock.now()
  const account = await db
    .selectFrom('accounts')
    .select(['email', 'email_verified_at'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const sent = await findSentCode(db, { accountId, purpose: 'change_email', askedBy: token, at })
  const code =
    sent &&
    codeForm({
      csrf,
      action: '/account/email/code',
      submit: 'Change the address',
      way: 'session',
      again: { action: '/account/email', fields: html`<input type="hidden" name="email" value="${sent.email}">` },
      address: sent.email,
      minutesLeft: minutesUntil(sent.expires_at, at),
      error: trouble?.codeError,
    })
  const content = html`<p class="crumbs"><a href="/account/settings">Settings</a></p>
<h1>Your email address</h1>
!${trouble?.isOver ? overNotice : ''}
<dl class="facts"><div><dt>Address</dt><dd>${account.email}</dd></div>
<div><dt>Verified</dt><dd>!${account.email_verified_at ? when(account.email_verified_at) : 'Not yet'}</dd></div></dl>
<div class="narrow">!${code ?? ''}!${addressForm(csrf, { isSecond: Boolean(code), ...trouble })}</div>`
  return showOwnerPage(asked, {
    title: 'Your email address',
    section: 'settings',
    content,
    ...(trouble && { status: 422 }),
  })
}

const overNotice = html`<div class="notice warn" role="alert"><p>That code is no longer valid: it has already been used, was tried too many times, or is more than ten minutes old. Request another one.</p></div>`

type AddressForm = Pick<Trouble, 'given' | 'emailError'> & { isSecond: boolean }

const addressForm = (csrf: string, { isSecond, given = '', emailError }: AddressForm): Html => html`<section>
<h2>${isSecond ? 'Use a different address' : 'Change the address'}</h2>
<p>We email a code to the new address and notify the old one. Nothing changes until you enter the code.</p>
<form method="post" action="/account/email">
!${csrfField(csrf)}
!${textField({
  name: 'email',
  label: 'New address',
  value: given,
  error: emailError,
  attributes: html`inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required`,
})}
<button class="button quiet" type="submit">Email a code</button>
</form></section>`

export const emailRoutes = [showEmail, askForChange, enterCode]
