import { z } from 'zod'
import { type CodeOrigin, codesPerHour } from '../../accounts/sign-in/code-limits.ts'
import { emailAddress } from '../../contract/fields.ts'
import { type Html, html } from '../../markup/html.ts'
import { csrfField, textField } from '../../web-pages/form.ts'
import { ownerNotePage } from '../layout.ts'
import type { Shown } from '../route.ts'

type CodeForm = {
  csrf: string
  /** The path that the code is submitted to, and the button's label. */
  action: string
  submit: string
  /** How the owner arrived, which determines how many codes can be sent. */
  way: CodeOrigin
  /** The form that requests another code: its action and hidden fields. */
  again: { action: string; fields?: Html }
  /** The address that the code was sent to, masked if the page must not reveal it. */
  address: string
  minutesLeft: number
  error?: string | undefined
}

/** The form for the emailed code, with help if it does not arrive. */
export function codeForm({ csrf, action, submit, way, again, address, minutesLeft, error }: CodeForm): Html {
  return html`<section><p>We emailed a six-digit code to <strong>${address}</strong>. It expires in ${inMinutes(minutesLeft)} and works only in this browser.</p>
<form method="post" action="${action}">
!${csrfField(csrf)}
!${textField({
    name: 'code',
    label: 'Code',
    hint: 'Never give it to your agent or to anyone who asks for it.',
    error,
    attributes: html`class="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12" required autofocus`,
  })}
<button class="button" type="submit">${submit}</button>
</form></section>
<section><h2>No email?</h2>
<p>It should arrive within a minute. Check your spam folder. A new code replaces the previous one. You can request up to ${codesPerHour(way)} codes per hour this way.</p>
<form method="post" action="${again.action}">
!${csrfField(csrf)}!${again.fields ?? ''}
<button class="button quiet" type="submit">Send another code</button>
</form></section>`
}

/** Rounds up to whole minutes. */
export const minutesUntil = (then: Date, at: Date): number => Math.ceil((then.getTime() - at.getTime()) / 60_000)

export const inMinutes = (count: number): string => {
  if (count > 120) return `${Math.ceil(count / 60)} hours`
  return count === 1 ? 'a minute' : `${count} minutes`
}

export const wrongCode = (triesLeft: number): string =>
  `That is not the code that we emailed. ${triesLeft === 1 ? 'One try' : `${triesLeft} tries`} left.`

type TooMany = {
  minutes: number
  /** The path of the form for the code that this browser requested; null if there is no valid code. */
  enteredAt: '/sign-in' | '/account/email' | null
  isMailedLinkOpen: boolean
}

export const tooManyPage = ({ minutes, enteredAt, isMailedLinkOpen }: TooMany): Shown => ({
  status: 429,
  page: ownerNotePage({
    title: 'Too many emails for now',
    content: html`<p>We cannot email more codes for now. Try again in ${inMinutes(minutes)}.</p>
!${enteredAt ? html`<p>Your last code still works. <a href="${enteredAt}">Enter it</a></p>` : ''}
!${isMailedLinkOpen ? html`<p>You do not have to wait: you can sign in now with a link that we email you. These links have a separate limit, which your agent cannot use up.</p>!${mailedLink}` : ''}`,
  }),
})

/** A link to request a sign-in link by email. An agent cannot use up the limit for these links. */
export const mailedLink = html`<p><a class="button" href="/">Email me a sign-in link</a></p>`

export const typedAddress = z.string().trim().pipe(emailAddress)

/** A six-digit code. Spaces and hyphens are ignored. */
export const sixDigits = z
  .string()
  .transform((text) => text.replaceAll(/[\s-]/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'must have six digits'))
