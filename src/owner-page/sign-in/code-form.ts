import { z } from 'zod'
import { type CodeOrigin, codesPerHour } from '../../accounts/sign-in/code-limits.ts'
import { emailAddress } from '../../contract/fields.ts'
import { type Html, html } from '../../markup/html.ts'
import { csrfField, textField } from '../../web-pages/form.ts'
import { ownerNotePage } from '../layout.ts'
import type { Shown } from '../route.ts'

type CodeForm = {
  csrf: string
  /** Where the code is sent to, and what the button that sends it says. */
  action: string
  submit: string
  /** How whoever asks has come, on which it depends how many codes there are. */
  way: CodeOrigin
  /** The form that asks for another code: where it goes, and what it must say again. */
  again: { action: string; fields?: Html }
  /** Where the code was mailed, as the page may show it. */
  address: string
  minutesLeft: number
  error?: string | undefined
}

/** Where the mailed code is entered, and what to do when it does not come. */
export function codeForm({ csrf, action, submit, way, again, address, minutesLeft, error }: CodeForm): Html {
  return html`<section><p>We mailed six digits to <strong>${address}</strong>. They work for ${inMinutes(minutesLeft)} more, and only in this browser.</p>
<form method="post" action="${action}">
!${csrfField(csrf)}
!${textField({
    name: 'code',
    label: 'The code',
    hint: 'Never give it to your agent, or to anyone who asks for it.',
    error,
    attributes: html`class="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12" required autofocus`,
  })}
<button class="button" type="submit">${submit}</button>
</form></section>
<section><h2>No mail?</h2>
<p>It should be there within a minute. Look for it among the spam. A new code makes the one before worthless; no more than ${codesPerHour(way)} are mailed this way in an hour.</p>
<form method="post" action="${again.action}">
!${csrfField(csrf)}!${again.fields ?? ''}
<button class="button quiet" type="submit">Send another</button>
</form></section>`
}

/** A begun minute counts as a whole one. */
export const minutesUntil = (then: Date, at: Date): number => Math.ceil((then.getTime() - at.getTime()) / 60_000)

export const inMinutes = (count: number): string => (count === 1 ? 'a minute' : `${count} minutes`)

export const wrongCode = (triesLeft: number): string =>
  `is not the code that we mailed; ${triesLeft === 1 ? 'one try is' : `${triesLeft} tries are`} left`

type TooMany = {
  minutes: number
  /** Where the code is entered that this browser has asked for; null where there is none that it may enter. */
  enteredAt: '/sign-in' | '/account/email' | null
  isMailedLinkOpen: boolean
}

export const tooManyPage = ({ minutes, enteredAt, isMailedLinkOpen }: TooMany): Shown => ({
  status: 429,
  page: ownerNotePage({
    title: 'Too many mails for now',
    content: html`<p>As many codes were mailed as may be in an hour. Try again in ${inMinutes(minutes)}.</p>
!${enteredAt ? html`<p>The last code that you asked for still works. <a href="${enteredAt}">Enter it</a></p>` : ''}
!${isMailedLinkOpen ? html`<p>You need not wait: a link that we mail you leads in now. Your agent can use up what its own links bring, but not that.</p>!${mailedLink}` : ''}`,
  }),
})

/** The way in that an agent cannot use up. */
export const mailedLink = html`<p><a class="button" href="/">Have a link mailed to me</a></p>`

export const typedAddress = z.string().trim().pipe(emailAddress)

/** As they were mailed, or in groups as people write them down. */
export const sixDigits = z
  .string()
  .transform((text) => text.replaceAll(/[\s-]/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'must have six digits'))
