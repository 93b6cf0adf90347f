import type { PostStatus } from '../../index.ts'
import type { ExitName } from '../command-table.ts'
import type { Output, Style } from '../terminal/output.ts'
import { oneLine, time, usd } from '../terminal/text.ts'

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
export function postLines(post: PostStatus, style: Output['style']): string[] {
  const { id, kind, status, charged_micros, refunded_micros, moderation, review, edit, url } = post
  const refusal = post.rejection ?? post.removal
  return [
    `${style(statusStyles[status], status)}  ${kind}  ${style('bold', id)}`,
    `Created:   ${time(post.created_at)}`,
    ...(post.decided_at ? [`Decided:   ${time(post.decided_at)}`] : []),
    `Charged:   ${usd(charged_micros)}${refunded_micros > 0 ? `, refunded ${usd(refunded_micros)}` : ''}`,
    ...(moderation ? [`Decision:  expected by ${time(moderation.estimated_decision_at)}`] : []),
    ...(review ? reviewLines(review) : []),
    ...(refusal ? refusalLines(refusal) : []),
    ...(edit ? [`Edit:      ${edit.status}, sent ${time(edit.submitted_at)}`] : []),
    ...(edit?.rejection ? refusalLines(edit.rejection) : []),
    ...(url ? [oneLine(url)] : []),
  ]
}

const reviewLines = ({ reason, expected_decision_at }: NonNullable<PostStatus['review']>) => [
  `Review:    a person decides (${reason}), expected by ${time(expected_decision_at)}`,
]

function refusalLines({ reason, category, strike, statement }: NonNullable<PostStatus['rejection']>): string[] {
  return [
    `Reason:    ${oneLine(reason)}${category ? ` (${category}${strike ? ', a strike' : ''})` : ''}`,
    `Rule:      ${oneLine(statement.rule)}`,
    `To change: ${oneLine(statement.remedy)}`,
    ...(statement.how_to_appeal ? [`Appeal:    ${oneLine(statement.how_to_appeal)}`] : []),
    `Policy:    ${oneLine(statement.policy_url)}`,
  ]
}
