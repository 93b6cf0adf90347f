import { z } from 'zod'
import { askForLinks } from '../../accounts/sign-in/find-account.ts'
import { findLinkedAccount, openVisit } from '../../accounts/sign-in/owner-links.ts'
import { type Html, html } from '../../markup/html.ts'
import { textField } from '../../web-pages/form.ts'
import { aboutSection } from '../about.ts'
import { ownerLayout, ownerNotePage } from '../layout.ts'
import { defineOwnerRoute, type OwnerParts } from '../route.ts'
import { typedAddress } from './code-form.ts'

const showFront = defineOwnerRoute({
  method: 'GET',
  path: '/',
  needs: 'nothing',
  answer: (asked) => (asked.session ? { seeOther: '/account' } : { page: frontPage(asked) }),
})

const findAccount = defineOwnerRoute({
  method: 'POST',
  path: '/find-account',
  needs: 'nothing',
  form: z.object({ email: typedAddress }),
  answer: async ({ db, clock, form }) => {
    await askForLinks(db, { email: form.email, at: clock.now() })
    return { seeOther: '/find-account' }
  },
  unfit: (asked, { email }) => ({
    status: 422,
    page: frontPage(asked, { value: asked.form['email'] ?? '', error: email }),
  }),
})

/** Always the same page, so that strangers cannot learn who has an account. */
const showMailed = defineOwnerRoute({
  method: 'GET',
  path: '/find-account',
  needs: 'nothing',
  answer: () => ({ page: mailedPage }),
})

const mailedPage = ownerNotePage({
  title: 'Check your email',
  content: html`<p>If an account uses this address, we have emailed a link to its owner. The link works for an hour, and the next step is a six-digit code.</p>
<p>No email? Check your spam folder, and make sure that this is the address your agent used when it created the account. We send at most two of these emails per hour to an address. The last link still works until it expires.</p>
<p><a href="/">Try another address</a></p>`,
})

type Entered = { value?: string; error?: string | undefined }

const frontPage = (parts: OwnerParts, { value = '', error }: Entered = {}): Html =>
  ownerLayout({
    title: 'Manage your agent’s account',
    content: html`<h1>Manage your agent’s account</h1>
<p class="lede">Top up, set limits, and see what your agent posted and what it cost. Your agent cannot sign in.</p>
<section aria-labelledby="with-link"><h2 id="with-link">With your agent’s link</h2>
<p>When your agent needs you, it gives you a link to this page: the <code>account_url</code> of its account. Open the link, and we email you a code to sign in.</p></section>
<section aria-labelledby="without-link"><h2 id="without-link">Without a link</h2>
<form method="post" action="/find-account">
!${textField({
      name: 'email',
      label: 'Your email',
      hint: 'The address that your agent gave when it created the account.',
      value,
      error,
      attributes: html`inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required`,
    })}
<button class="button" type="submit">Email me a sign-in link</button>
</form></section>
!${aboutSection(parts, null)}`,
  })

export const frontRoutes = [showFront, findAccount, showMailed]

/**
 * Exchanges the link's token for a visit cookie, which removes the token from the address bar. A visit alone gives no
 * access.
 */
const openLink = defineOwnerRoute({
  method: 'GET',
  path: '/o/:token',
  needs: 'nothing',
  answer: async ({ db, clock, params }) => {
    const at = clock.now()
    const link = await findLinkedAccount(db, String(params['token']), at)
    if (!link) return { status: 410, page: expiredPage }
    const visit = await openVisit(db, { accountId: link.id, byMailedLink: link.mailed, at })
    return { seeOther: '/sign-in', cookies: { visit } }
  },
})

const expiredPage = ownerNotePage({
  title: 'This link has expired',
  content: html`<p>A link to this page works for one hour. Ask your agent for a new link.</p>
<p>Or <a href="/">get one by email</a>.</p>`,
})

export const linkRoutes = [openLink]
