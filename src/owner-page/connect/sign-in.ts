import { z } from 'zod'
import { signInByMailbox, signUpByMailbox } from '../../accounts/mailbox-sign-in/mailbox-accounts.ts'
import { askForMailboxCode, enterMailboxCode, isProven } from '../../accounts/mailbox-sign-in/mailbox-codes.ts'
import { newToken } from '../../accounts/sign-in/tokens.ts'
import { accountId, line } from '../../contract/fields.ts'
import { Problem } from '../../contract/problems/problem.ts'
import { defineOwnerRoute } from '../route.ts'
import { sixDigits, tooManyPage, typedAddress, wrongCode } from '../sign-in/code-form.ts'
import { withRequest } from './connect-page.ts'
import { accountsPage, codePage, emailPage } from './sign-in-pages.ts'

const requestId = z.string().length(43)

const mailCode = defineOwnerRoute({
  method: 'POST',
  path: '/connect/email',
  needs: 'nothing',
  form: z.object({ request: requestId, email: typedAddress }),
  answer: (asked) =>
    withRequest(asked, asked.form.request, async ({ id }) => {
      const { db, clock, sealing, form } = asked
      const browserToken = newToken()
      const isSent = await askForMailboxCode(db, sealing, { email: form.email, browserToken, at: clock.now() })
      if (!isSent) return tooManyPage({ minutes: 60, enteredAt: null, isMailedLinkOpen: false })
      return { seeOther: `/connect/${id}${anotherAccount(asked.session)}`, cookies: { mailbox: browserToken } }
    }),
  unfit: (asked, { email }) =>
    withRequest(asked, asked.form['request'], (request) =>
      emailPage(request, { value: asked.form['email'] ?? '', error: email, status: 422 }),
    ),
})

/** An owner who is signed in came here for another account. */
const anotherAccount = (session: unknown) => (session ? '?account=another' : '')

const enterCode = defineOwnerRoute({
  method: 'POST',
  path: '/connect/code',
  needs: 'mailbox',
  form: z.object({ request: requestId, code: sixDigits }),
  answer: (asked) =>
    withRequest(asked, asked.form.request, async (request) => {
      const { db, clock, sealing, mailbox, session, form } = asked
      const entered = await enterMailboxCode(db, sealing, {
        browserToken: mailbox.token,
        code: form.code,
        at: clock.now(),
      })
      if (entered === 'over') return emailPage(request, { value: mailbox.email, error: over, status: 422 })
      if ('triesLeft' in entered) return codePage(asked, request, { error: wrongCode(entered.triesLeft), status: 422 })
      const cookies = { mailbox: entered.provenBy }
      return { seeOther: `/connect/${request.id}${anotherAccount(session)}`, cookies }
    }),
  unfit: (asked, { code }) =>
    withRequest(asked, asked.form['request'], (request) => codePage(asked, request, { error: code, status: 422 })),
})

const over = 'That code is no longer valid. Request another one.'

const chooseAccount = defineOwnerRoute({
  method: 'POST',
  path: '/connect/account',
  needs: 'mailbox',
  form: z.object({ request: requestId, account: accountId }),
  answer: (asked) =>
    withRequest(asked, asked.form.request, async (request) => {
      const { db, clock, mailbox, session: replaced, browser, form } = asked
      if (!isProven(mailbox)) return codePage(asked, request, { status: 422 })
      const arriving = { email: mailbox.email, browser, replaced, at: clock.now() }
      const token = await signInByMailbox(db, { accountId: form.account, ...arriving })
      if (!token) return accountsPage({ ...asked, mailbox }, request, { status: 422 })
      return { seeOther: `/connect/${request.id}`, cookies: { session: token } }
    }),
})

const signUp = defineOwnerRoute({
  method: 'POST',
  path: '/connect/sign-up',
  needs: 'mailbox',
  form: z.object({ request: requestId, name: z.string().trim().pipe(line(1, 80)), terms: z.literal('on') }),
  answer: (asked) =>
    withRequest(asked, asked.form.request, async (request) => {
      const { db, clock, mailbox, session: replaced, browser, obeysTestWords, form } = asked
      if (!isProven(mailbox)) return codePage(asked, request, { status: 422 })
      const arriving = { email: mailbox.email, browser, replaced, at: clock.now() }
      try {
        const token = await signUpByMailbox(db, { name: form.name, obeysTestWords, ...arriving })
        if (token) return { seeOther: `/connect/${request.id}`, cookies: { session: token } }
        return accountsPage({ ...asked, mailbox }, request, { name: form.name, faults: { name: tooMany }, status: 422 })
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        const name = error.members.reason ?? error.message
        return accountsPage({ ...asked, mailbox }, request, { name: form.name, faults: { name }, status: 422 })
      }
    }),
  unfit: (asked, faults) =>
    withRequest(asked, asked.form['request'], (request) => {
      const { mailbox, form } = asked
      if (!isProven(mailbox)) return codePage(asked, request, { status: 422 })
      return accountsPage({ ...asked, mailbox }, request, { name: form['name'] ?? '', faults, status: 422 })
    }),
})

const tooMany = 'This mailbox has 10 accounts already. Choose one of them.'

export const connectSignInRoutes = [mailCode, enterCode, chooseAccount, signUp]
