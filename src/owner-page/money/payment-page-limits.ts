import { takeUse } from '../../accounts/allowances.ts'
import { paymentPages } from '../../contract/limits.ts'
import { secondsToMidnight } from '../../contract/time/utc-day.ts'
import { html } from '../../markup/html.ts'
import { when } from '../../web-pages/elements.ts'
import { showOwnerPage } from '../layout.ts'
import type { OwnerRequest, Shown } from '../route.ts'

const hourSeconds = 3_600

/**
 * Runs an action that opens a page of the payment provider, unless the account has opened too many: many pages in a
 * short time are how stolen cards are tested.
 */
export async function withinPageLimits(
  asked: OwnerRequest<'session', unknown>,
  open: () => Promise<Shown> | Shown,
): Promise<Shown> {
  const opensAgainAt = await takePage(asked)
  return opensAgainAt ? tooManyPages(asked, opensAgainAt) : open()
}

/** Counts one page. Returns when to try again if the limit of the hour or of the day is reached, otherwise null. */
async function takePage({ db, clock, session }: OwnerRequest<'session', unknown>): Promise<Date | null> {
  const at = clock.now()
  const subject = session.accountId
  const atSeconds = Math.floor(at.getTime() / 1_000)
  const inSeconds = (seconds: number) => new Date((atSeconds + seconds) * 1_000)
  // The hour comes first, so that a refused page does not use up the day.
  const hour = { allowance: `payment-pages-in-hour-${at.getUTCHours()}`, subject, at } as const
  if ((await takeUse(db, hour, paymentPages.perHour)) === null)
    return inSeconds(hourSeconds - (atSeconds % hourSeconds))
  const day = { allowance: 'payment-pages-per-account', subject, at } as const
  return (await takeUse(db, day, paymentPages.perDay)) === null ? inSeconds(secondsToMidnight(at)) : null
}

const tooManyPages = (asked: OwnerRequest<'session', unknown>, opensAgainAt: Date) =>
  showOwnerPage(asked, {
    title: 'Too many payment pages',
    section: 'money',
    status: 429,
    retryAfterSeconds: Math.max(1, Math.ceil((opensAgainAt.getTime() - asked.clock.now().getTime()) / 1_000)),
    content: html`<h1>Too many payment pages</h1>
<p>You were not charged. An account can open ${String(paymentPages.perHour)} payment pages per hour and ${String(paymentPages.perDay)} per day. Try again after !${when(opensAgainAt)}.</p>
<div class="buttons"><a class="button" href="/account/money">Back to money</a></div>`,
  })
