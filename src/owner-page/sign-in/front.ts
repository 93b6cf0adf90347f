import { z } from 'zod'
import { askForLinks } from '../../accounts/sign-in/find-account.ts'
import { type Html, html } from '../../markup/html.ts'
import { textField } from '../../page-door/form.ts'
import { layout } from '../layout.ts'
import { notePage } from '../note-page.ts'
import { defineRoute } from '../route.ts'
import { typedAddress } from './fields.ts'

const showFront = defineRoute({
  method: 'GET',
  path: '/',
  needs: 'nothing',
  answer: ({ session }) => (session ? { seeOther: '/account' } : { page: frontPage() }),
})

const findAccount = defineRoute({
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
const showMailed = defineRoute({
  method: 'GET',
  path: '/find-account',
  needs: 'nothing',
  answer: () => ({ page: mailedPage }),
})

const mailedPage = notePage({
  title: 'Look into your mailbox',
  content: html`<p>If an account has the address that you gave, a link to its owner page is on its way there. It works for an hour.</p>
<p>Nothing comes? Look for it among the spam, and make sure that the address is the one your agent gave when it opened the account. An address is sent no more than two such mails an hour; until the next one can come, the last one works.</p>
<p><a href="/">Try another address</a></p>`,
})

const frontPage = ({ value = '', error }: { value?: string; error?: string | undefined } = {}): Html =>
  layout({
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
