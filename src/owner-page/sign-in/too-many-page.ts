import { html } from '../../markup/html.ts'
import { notePage } from '../note-page.ts'
import type { Shown } from '../route.ts'
import { inMinutes } from './code-form.ts'
import { mailedLink } from './mailed-link.ts'

type TooMany = {
  minutes: number
  /** Where the code is entered that this browser has asked for; null where there is none that it may enter. */
  enteredAt: '/sign-in' | '/account/email' | null
  isMailedLinkOpen: boolean
}

export const tooManyPage = ({ minutes, enteredAt, isMailedLinkOpen }: TooMany): Shown => ({
  status: 429,
  page: notePage({
    title: 'Too many mails for now',
    content: html`<p>As many codes were mailed as may be in an hour. Try again in ${inMinutes(minutes)}.</p>
!${enteredAt ? html`<p>The last code that you asked for still works. <a href="${enteredAt}">Enter it</a></p>` : ''}
!${isMailedLinkOpen ? html`<p>You need not wait: a link that we mail you leads in now. Your agent can use up what its own links bring, but not that.</p>!${mailedLink}` : ''}`,
  }),
})
