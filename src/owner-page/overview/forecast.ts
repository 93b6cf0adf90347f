import { amount } from '../../markup/money.ts'
import { dailyTotals, type Spending } from './read-spending.ts'

const dayMs = 86_400_000
/** The rate is that of the last week, or of the whole chart if nothing was spent last week. */
const rateDays = 7
const mostDays = 730
const cent = 10_000

type Given = { prepaidMicros: number; createdAt: Date; at: Date }

/** How long the balance lasts: "Lasts about 12 days at this rate: …"; null if nothing was spent recently. */
export function howLongItLasts(spending: Spending, { prepaidMicros, createdAt, at }: Given): string | null {
  const totals = dailyTotals(spending)
  const sum = (days: readonly number[]) => days.reduce((total, micros) => total + micros, 0)
  const recent = sum(totals.slice(-rateDays)) > 0 ? totals.slice(-rateDays) : totals
  const spent = sum(recent)
  if (spent <= 0 || prepaidMicros <= 0) return null
  const dayAt = (place: number) => (spending.days.at(place - recent.length) ?? at).getTime()
  const firstSpent = dayAt(recent.findIndex((micros) => micros > 0))
  // A new account has not had the whole time. Its first day counts as a whole one.
  const since = Math.max(dayAt(0), Math.min(createdAt.getTime(), firstSpent))
  const elapsed = Math.max(1, (at.getTime() - since) / dayMs)
  const perDay = spent / elapsed
  const unit = perDay >= cent ? cent : cent / 10
  const shown = amount(Math.max(unit, Math.round(perDay / unit) * unit))
  const over = Math.ceil(elapsed) === 1 ? 'the last day' : `the last ${Math.ceil(elapsed)} days`
  return `Lasts ${daysInWords(prepaidMicros / perDay)} at this rate: ${shown} per day over ${over}.`
}

function daysInWords(days: number): string {
  if (days < 1) return 'less than a day'
  if (days > mostDays) return 'more than two years'
  const whole = Math.floor(days)
  return whole === 1 ? 'about a day' : `about ${whole} days`
}
