import type { PostStatus } from '../../index.ts'
import type { ExitName } from '../command-table.ts'
import type { Output, Style } from '../terminal/output.ts'
import { oneLine, pad, time, usd, wrap } from '../terminal/text.ts'

type Status = PostStatus['status']

/** How a command exits that waits for the decision. */
export const exitByStatus: Record<Status, ExitName> = {
  queued: 'undecided',
  review: 'undecided',
  published: 'ok',
  rejected: 'rejected',
  removed: 'rejected',
  deleted: 'rejected',
}

export const statusStyles: Record<Status, Style> = {
  queued: 'yellow',
  review: 'yellow',
  published: 'green',
  rejected: 'red',
  removed: 'red',
  deleted: 'dim',
}

/** A status record for a person. The URL, if there is one, is the last line. */
export function postLines(post: PostStatus, { style, width }: Pick<Output, 'style' | 'width'>): string[] {
  const { id, kind, status, charged_micros, refunded_micros, moderation, review, edit, url } = post
  const refusal = post.rejection ?? post.removal
  const facts: Fact[] = [
    ['Created', time(post.created_at)],
    ['Decided', post.decided_at && time(post.decided_at)],
    ['Charged', `${usd(charged_micros)}${refunded_micros > 0 ? `, refunded ${usd(refunded_micros)}` : ''}`],
    ['Decision', moderation && `expected by ${time(moderation.estimated_decision_at)}`],
    ['Review', review && `a person decides (${review.reason}), expected by ${time(review.expected_decision_at)}`],
    ...refusalFacts(refusal),
    ['Edit', edit && `${edit.status}, sent ${time(edit.submitted_at)}`],
    ...refusalFacts(edit?.rejection),
  ]
  return [
    `${style(statusStyles[status], status)}  ${kind}  ${style('bold', id)}`,
    ...facts.flatMap(([label, text]) => (text ? labelled(label, oneLine(text), width) : [])),
    ...(url ? [oneLine(url)] : []),
  ]
}

type Fact = [label: string, text: string | null | undefined]

function refusalFacts(refusal: PostStatus['rejection'] | PostStatus['removal']): Fact[] {
  if (!refusal) return []
  const { reason, category, strike, statement } = refusal
  const { rule, remedy, how_to_appeal, policy_url } = statement
  // A reason often repeats the rule and the remedy, which follow.
  const own = reason.replace(remedy, '').trim() || rule
  return [
    ['Reason', `${own}${category ? ` (${category}${strike ? ', a strike' : ''})` : ''}`],
    ['Rule', own.includes(rule) ? undefined : rule],
    ['To change', remedy],
    ['Appeal', how_to_appeal],
    ['Policy', policy_url],
  ]
}

const labelWidth = 11

function labelled(label: string, text: string, width: number): string[] {
  const [first = '', ...more] = wrap(text, Math.max(40, width - labelWidth))
  return [pad(`${label}:`, labelWidth) + first, ...more.map((line) => ' '.repeat(labelWidth) + line)]
}
