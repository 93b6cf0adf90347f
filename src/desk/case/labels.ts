import type { DecisionOutcome, PostStatus } from '../../../generated/database-types.ts'
import type { CaseKind } from '../../cases/case-kinds.ts'
import type { QueuedCase } from '../../cases/queue.ts'
import { type Html, html } from '../../markup/html.ts'
import { policy } from '../../policy/policy.ts'
import { type Sites, siteOf } from '../../posts/sites.ts'
import { badge, type Tone } from '../../web-pages/elements.ts'

/** The noun for a kind of post, without and with its article: "message", "a message". */
export function nounOf(sites: Sites, site: string): { noun: string; one: string } {
  const { noun } = siteOf(sites, site).kind.site
  return { noun, one: `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}` }
}

/** One line that names the case. It contains nothing the author wrote. */
export function caseTitle(sites: Sites, { kind, site, edit }: Pick<QueuedCase, 'kind' | 'site' | 'edit'>): string {
  const { noun, one } = nounOf(sites, site)
  const what = edit > 0 ? `an edit of ${one}` : one
  const titles: Record<QueuedCase['kind'], string> = {
    review: `Review of ${what}`,
    report: `Reports about ${one}`,
    appeal: `Appeal on ${what}`,
    check: `Check of a rejected ${edit > 0 ? `edit of ${one}` : noun}`,
    audit: `Audit of ${what}`,
  }
  return titles[kind]
}

/** The title of a category. A category that the current policy no longer has is shown as recorded. */
export const categoryTitle = (category: string): string =>
  policy.categories.find(({ id }) => id === category)?.title ?? category

const harms: readonly { label: string; tone: Tone }[] = [
  { label: 'Low', tone: null },
  { label: 'Medium', tone: null },
  { label: 'High', tone: 'warn' },
  { label: 'Urgent', tone: 'bad' },
]

export const harmName = (harm: number): string => harms[harm]?.label ?? String(harm)

/** How much harm another day of waiting could do; unknown if no category is named. */
export function harmBadge({ harm, categories }: Pick<QueuedCase, 'harm' | 'categories'>): Html {
  if (categories.length === 0) return badge('Unknown', null)
  const { label, tone } = harms[harm] ?? { label: String(harm), tone: null }
  return badge(label, tone)
}

const statuses: Record<PostStatus, { label: string; tone: Tone }> = {
  queued: { label: 'in the queue', tone: null },
  review: { label: 'in review', tone: null },
  published: { label: 'published', tone: 'good' },
  rejected: { label: 'rejected', tone: 'bad' },
  removed: { label: 'removed', tone: 'bad' },
  deleted: { label: 'deleted', tone: null },
}

export const statusWords = (status: PostStatus) => statuses[status]

export const outcomeWords: Record<DecisionOutcome, string> = {
  publish: 'published',
  low_quality: 'rejected, fee refunded',
  abuse: 'rejected as abusive',
  review: 'sent to human review',
  remove: 'removed',
  restore: 'reversed',
}

const minuteMs = 60_000
const units = [
  { name: 'd', ms: 1_440 * minuteMs, from: 2 },
  { name: 'h', ms: 60 * minuteMs, from: 1 },
  { name: 'min', ms: minuteMs, from: 0 },
]

/** `14 min`, `3 h` or `2 d`, with the exact time as a tooltip. */
export function age(from: Date, to: Date): Html {
  const passed = Math.max(0, to.getTime() - from.getTime())
  const unit = units.find(({ ms, from: least }) => passed >= least * ms)
  const text = unit ? `${Math.floor(passed / unit.ms)} ${unit.name}` : ''
  return html`<time datetime="${from.toISOString()}" title="${from.toISOString().slice(0, 16).replace('T', ' ')} UTC">${text}</time>`
}

/** How long until the due time, or how long overdue. */
export const dueText = (due: Date, at: Date): Html =>
  due <= at
    ? html`<span class="late">overdue by !${age(due, at)}</span>`
    : html`within <time datetime="${due.toISOString()}">${hoursUntil(due, at)}</time>`

const hoursUntil = (due: Date, at: Date) => {
  const minutes = Math.ceil((due.getTime() - at.getTime()) / minuteMs)
  return minutes > 90 ? `${Math.floor(minutes / 60)} h` : `${minutes} min`
}

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** `1,000+` if the count has reached the number that was counted to. */
export const upTo = (count: number, countedTo: number): string =>
  `${count.toLocaleString('en')}${count >= countedTo ? '+' : ''}`

export const percent = (share: number): string => `${Math.round(share * 100)}%`

/** A keyboard key. Hidden from screen readers, whose users learn the shortcuts from the help dialog. */
export const keyCap = (key: string): Html => html`<kbd aria-hidden="true">${key}</kbd>`

/** The name of each kind of case, its plural, and a clause that completes "Cases where …". */
export const kindWords: Record<CaseKind, { one: string; title: string; says: string }> = {
  review: { one: 'Review', title: 'Reviews', says: 'the model was unsure' },
  report: { one: 'Report', title: 'Reports', says: 'readers complained' },
  appeal: { one: 'Appeal', title: 'Appeals', says: 'the author disagrees' },
  check: { one: 'Check', title: 'Checks', says: 'the model imposed a penalty on its own' },
  audit: { one: 'Audit', title: 'Audits', says: 'a decision by the model was sampled at random' },
}
