import { z } from 'zod'
import { timestamp } from '../../contract/fields.ts'
import { reviewReasonIds, reviewReasons } from '../../policy/reasons.ts'

const reasonWords = reviewReasonIds.map((id) => `${id}: ${reviewReasons[id]}`).join(' ')

/** Why a person must decide and when, as shown in the status record and in events. */
export const reviewRecord = z
  .strictObject({
    reason: z.enum(reviewReasonIds).meta({ description: `Why a person must decide. ${reasonWords}` }),
    expected_decision_at: timestamp.meta({
      description:
        'An estimate based on how fast people decide and how many posts wait. If the time passes, it is extended.',
    }),
    fee_returned_at: timestamp.nullable().meta({
      description: 'When the fee was refunded because the decision took too long; null until then.',
    }),
  })
  .meta({ component: 'Review' })

export type ReviewRecord = z.output<typeof reviewRecord>

export const exampleReview: ReviewRecord = {
  reason: 'unsure',
  expected_decision_at: '2026-11-15T16:00:00.000Z',
  fee_returned_at: null,
}
