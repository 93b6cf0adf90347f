import { type Html, html } from '../../markup/html.ts'
import { when } from '../../page-door/when.ts'
import { reviewReasons } from '../../policy/review-reasons.ts'
import type { ReviewRecord } from '../../posts/review/review-record.ts'
import type { OwnedPost } from './read-own-post.ts'

/** Why a post, or an edit of it, waits for a person, until when, and what becomes of the fee. */
export function reviewNotice({ record, feeReturnHours }: Pick<OwnedPost, 'record' | 'feeReturnHours'>): Html {
  if (record.review) return notice('This post waits for a person', record.review, feeReturnHours)
  if (record.edit?.review) return notice('The last edit waits for a person', record.edit.review, feeReturnHours)
  return html``
}

function notice(title: string, review: ReviewRecord, feeReturnHours: number): Html {
  const { reason, expected_decision_at, fee_returned_at } = review
  const fee = fee_returned_at
    ? html`The fee was returned on !${when(new Date(fee_returned_at))}, because the decision takes too long. Publication will not be charged again.`
    : html`If it is not decided after ${feeReturnHours} hours, the fee is returned and the wait goes on.`
  return html`<section class="notice warn" aria-labelledby="review"><h2 id="review">${title}</h2>
<p>${reviewReasons[reason]} You do not need to do anything.</p>
<p>A decision is expected by !${when(new Date(expected_decision_at))}. !${fee}</p></section>`
}
