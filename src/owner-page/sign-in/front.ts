import { z } from 'zod'
import { askForLinks } from '../../accounts/sign-in/find-account.ts'
import { findLinkedAccount, openVisit } from '../../accounts/sign-in/owner-links.ts'
import { type Html, html } from '../../markup/html.ts'
import { textField } from '../../web-pages/form.ts'
import { ownerLayout, ownerNotePage } from '../layout.ts'
import { defineOwnerRoute } from '../route.ts'
import { typedAddress } from './code-form.ts'

const showFront = defineOwnerRoute({
  method: 'GET',
  path: '/',
  needs: 'nothing',
  answer: ({ session }) => (session ? { seeOther: '/account' } : { page: frontPage() }),
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
  unfit: ({ form }, { email }) => ({ status: 422, page: frontPage({ value: form['email'] ?? '', error: email }) }),
})

/** The same page whatever was asked for: who has an account here is not for strangers to learn. */
const showMailed = defineOwnerRoute({
  method: 'GET',
  path: '/find-account',
  needs: 'nothing',
  answer: () => ({ page: mailedPage }),
})

const mailedPage = ownerNotePage({
  title: 'Look into your mailbox',
  content: html`<p>If an account has the address that you gave, a link to its owner page is on its way there. It works for an hour.</p>
<p>Nothing comes? Look for it among the spam, and make sure that the address is the one your agent gave when it opened the account. An address is sent no more than two such mails an hour; until the next one can come, the last one works.</p>
<p><a href="/">Try another address</a></p>`,
})

const frontPage = ({ value = '', error }: { value?: string; error?: string | undefined } = {}): Html =>
  ownerLayout({
    title: 'Owner page',
    content: html`<h1>The page of the person an agent acts for</h1>
<p class="lede">Top up, set limits, see what was posted and what it cost. Only you can: your agent has no way in.</p>
<section><h2>With the link of your agent</h2>
<p>When an agent needs you, it has a link to this page, the <code>account_url</code> of its account. Open that link, and we mail you a code to sign in with.</p></section>
<section><h2>Without it</h2>
<form method="post" action="/find-account">
!${textField({
      name: 'email',
      label: 'The address that your account has',
      value,
      error,
      attributes: html`inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required`,
    })}
<button class="button" type="submit">Have a link mailed</button>
</form></section>`,
  })

export const frontRoutes = [showFront, findAccount, showMailed]

/** Gives the browser a visit for the token of the link, which so leaves the address bar. It opens nothing by itself. */
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
  content: html`<p>A link to this page works for one hour. Ask your agent for a new one: it gets one from <code>GET /v1/account</code>.</p>
<p>Or <a href="/">have one mailed to you</a>.</p>`,
})

export const linkRoutes = [openLink]
