import { z } from 'zod'
import type { CodeOrigin } from '../../accounts/sign-in/code-limits.ts'
import { askForCode, findSentCode, isAgentLinkClosed } from '../../accounts/sign-in/codes.ts'
import type { OwnerVisit } from '../../accounts/sign-in/owner-links.ts'
import { signIn } from '../../accounts/sign-in/sign-in.ts'
import { csrfTokenOf } from '../../accounts/sign-in/tokens.ts'
import { type Html, html } from '../../markup/html.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { csrfField } from '../../web-pages/form.ts'
import { aboutSection } from '../about.ts'
import { ownerLayout, ownerNotePage } from '../layout.ts'
import { defineOwnerRoute, type OwnerParts } from '../route.ts'
import { codeForm, mailedLink, minutesUntil, sixDigits, tooManyPage, wrongCode } from './code-form.ts'

const showSignIn = defineOwnerRoute({
  method: 'GET',
  path: '/sign-in',
  needs: 'nothing',
  answer: async ({ visit, session, ...parts }) => {
    if (session && (!visit || visit.account.id === session.accountId)) return { seeOther: '/account' }
    return visit ? { page: await visitPage(parts, visit) } : { page: strangerPage }
  },
})

const mailCode = defineOwnerRoute({
  method: 'POST',
  path: '/sign-in/code',
  needs: 'visit',
  answer: async ({ db, clock, sealing, visit }) => {
    const at = clock.now()
    const { id: accountId, email } = visit.account
    if (await isClosed(db, visit, at)) return { status: 429, page: closedPage }
    const asking = { accountId, purpose: 'sign_in', askedBy: visit.token, at } as const
    const asked = await inTransaction(db, (tx) => askForCode(tx, sealing, { ...asking, email, way: wayOf(visit) }))
    if (!('againAt' in asked)) return { seeOther: '/sign-in' }
    return tooManyPage({
      minutes: minutesUntil(asked.againAt, at),
      enteredAt: (await findSentCode(db, asking)) ? '/sign-in' : null,
      isMailedLinkOpen: !visit.byMailedLink && asked.isMailedLinkOpen,
    })
  },
})

const enterCode = defineOwnerRoute({
  method: 'POST',
  path: '/sign-in',
  needs: 'visit',
  form: z.object({ code: sixDigits }),
  answer: async (asked) => {
    const { db, clock, sealing, visit, session, browser, form } = asked
    const entered = await signIn(db, sealing, {
      accountId: visit.account.id,
      visitToken: visit.token,
      code: form.code,
      browser,
      replaced: session,
      at: clock.now(),
    })
    if (entered === 'over') return { status: 422, page: await visitPage(asked, visit, { isOver: true }) }
    if ('triesLeft' in entered)
      return { status: 422, page: await visitPage(asked, visit, { error: wrongCode(entered.triesLeft) }) }
    return { seeOther: '/account', cookies: { session: entered.done, visit: null } }
  },
  unfit: async (asked, { code }) => ({ status: 422, page: await visitPage(asked, asked.visit, { error: code }) }),
})

type Trouble = { error?: string | undefined; isOver?: boolean }

/** Shows the account, and the form to request a code or to enter the one that was sent. */
async function visitPage({ db, clock, ...parts }: OwnerParts, visit: OwnerVisit, { error, isOver }: Trouble = {}) {
  const at = clock.now()
  const { token, account } = visit
  // These forms belong to the visit, even if the browser is signed in to another account.
  const csrf = csrfTokenOf(token)
  if (await isClosed(db, visit, at)) return closedPage
  const sent = await findSentCode(db, { accountId: account.id, purpose: 'sign_in', askedBy: token, at })
  if (!sent)
    return ownerLayout({
      title: titleFor(account),
      content: askingContent(parts, { account, csrf, isOver: isOver ?? false }),
    })
  const form = codeForm({
    csrf,
    action: '/sign-in',
    submit: 'Sign in',
    way: wayOf(visit),
    again: { action: '/sign-in/code' },
    address: maskEmail(sent.email),
    minutesLeft: minutesUntil(sent.expires_at, at),
    error,
  })
  return ownerLayout({
    title: 'Enter the code',
    content: html`<h1>Enter the code</h1>!${form}<section>!${factsOf(account)}</section>`,
  })
}

const wayOf = ({ byMailedLink }: OwnerVisit): CodeOrigin => (byMailedLink ? 'mailed_link' : 'agent_link')

const isClosed = (db: Database, { account, byMailedLink }: OwnerVisit, at: Date) =>
  !byMailedLink && isAgentLinkClosed(db, { accountId: account.id, at })

type Asking = Pick<OwnerVisit, 'account'> & { csrf: string; isOver: boolean }

function askingContent(parts: Pick<OwnerParts, 'baseUrls' | 'operator'>, { account, csrf, isOver }: Asking): Html {
  const notice = html`<div class="notice warn" role="alert"><p>That code is no longer valid: it has already been used, was tried too many times, or is more than ten minutes old. Request another one.</p></div>`
  return html`<h1>${titleFor(account)}</h1>
!${isOver ? notice : ''}
<p class="lede">On this page you top up, set limits, and see what your agent posts. Your agent cannot sign in.</p>
!${factsOf(account)}
<p>One more step: we email you a six-digit code. It makes sure that you, and not a mail scanner, opened the link.</p>
<form method="post" action="/sign-in/code">!${csrfField(csrf)}<button class="button" type="submit">Email me a code</button></form>
<p class="small">If you do not know this agent, close the page. Nothing is charged, and nobody can sign in without the code.</p>
!${account.email_verified_at ? '' : aboutSection(parts, { policyVersion: account.policy_version, at: account.created_at })}`
}

/** Owners who have been here before need no introduction. */
const titleFor = ({ email_verified_at }: OwnerVisit['account']): string =>
  email_verified_at ? 'Sign in to your agent’s account' : 'Your agent opened this account for you'

const factsOf = (account: OwnerVisit['account']): Html => html`<dl class="facts">
<div><dt>Account</dt><dd dir="auto">${account.name}</dd></div>
<div><dt>Your email</dt><dd>${maskEmail(account.email)}</dd></div>
<div><dt>Identifier</dt><dd><code>${account.id}</code></dd></div>
</dl>`

const strangerPage = ownerNotePage({
  title: 'You are not signed in',
  content: html`<p>Open your agent’s link, the <code>account_url</code> of its account, and sign in with a code that we email you.</p>
!${mailedLink}`,
})

const closedPage = ownerNotePage({
  title: 'Too many wrong codes',
  content: html`<p>Too many wrong codes were entered today through agent links. Agent links are blocked until 00:00 UTC, even with the right code.</p>
<p>A link that we email you still works: enter your address on the front page. If you did not enter those codes, revoke the agent’s keys.</p>
!${mailedLink}`,
})

export const codeRoutes = [showSignIn, mailCode, enterCode]

/** Shows the first letter and the domain: owners recognise their address, and strangers cannot learn it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email.slice(0, at)
  return `${first}…@${email.slice(at + 1)}`
}
