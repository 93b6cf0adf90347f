import { z } from 'zod'
import { identifier, micros, timestamp } from '../../contract/fields.ts'
import { reviewRecord } from '../review/review-record.ts'
import { postStatuses } from './lifecycle.ts'
import { loggedDecision } from './logged-decision.ts'
import { moderationEstimate } from './moderation-estimate.ts'
import { statementOfReasons } from './statement-of-reasons.ts'

export const examplePostId = 'post_01jcmzq8e5f7r9t2v4x6y8z0ab'
export const postId = identifier('post', examplePostId)

const appeal = z
  .strictObject({ status: z.enum(['open', 'upheld', 'dismissed']), submitted_at: timestamp })
  .nullable()
  .meta({
    description:
      'The appeal against this decision; null until you appeal with POST /v1/posts/{id}/appeal. You can appeal once per post and once per rejected edit.',
  })

const refusal = {
  category: z.string().nullable().meta({ description: 'A policy category.' }),
  reason: z.string().meta({ description: 'What the rule says, and what would make the post acceptable.' }),
  abusive: z.boolean().meta({ description: 'Abuse costs ten times the price and adds a strike.' }),
  refunded: z.boolean(),
  strike: z.boolean(),
}
const logEntry = { log_entry: loggedDecision.optional() }
/** The rejection or removal in an event. Old events have no statement. */
export const announcedRefusal = z.strictObject({ ...refusal, statement: statementOfReasons.optional() })
const rejection = z.strictObject({
  ...refusal,
  ...logEntry,
  statement: statementOfReasons,
  appeal,
  taken_back_at: timestamp.optional().meta({
    description:
      'When a person reversed the decision, with or without an appeal. Its cost was refunded, so you can send the edit again.',
  }),
})
const removal = z.strictObject({
  ...refusal,
  ...logEntry,
  statement: statementOfReasons,
  removed_at: timestamp,
  appeal,
})

export const statusRecord = z
  .strictObject({
    id: postId,
    kind: z.string(),
    status: z.enum(postStatuses),
    created_at: timestamp,
    decided_at: timestamp.nullable(),
    url: z.url().nullable().meta({ description: 'The public page, while the post is published.' }),
    charged_micros: micros.meta({ description: 'Total charged for this post, including penalties and edits.' }),
    refunded_micros: micros.meta({ description: 'Total refunded.' }),
    policy_version: z.string().meta({ description: 'The policy version that was, or will be, applied.' }),
    moderation: moderationEstimate.optional().meta({ description: 'Present while the status is queued.' }),
    review: reviewRecord.optional().meta({ description: 'Present while the status is review.' }),
    decision: z
      .strictObject({ automated: z.boolean(), model: z.string().nullable(), decided_at: timestamp })
      .optional()
      .meta({ description: 'Who made the last decision: the model or a person.' }),
    rejection: rejection.optional(),
    removal: removal.optional(),
    edit: z
      .strictObject({
        status: z.enum(['queued', 'review', 'accepted', 'rejected', 'cancelled']),
        submitted_at: timestamp,
        moderation: moderationEstimate.optional(),
        review: reviewRecord.optional(),
        rejection: rejection.optional(),
      })
      .optional()
      .meta({ description: 'The latest edit. The published version stays up until the edit is accepted.' }),
  })
  .meta({ component: 'PostStatus' })

export type StatusRecord = z.input<typeof statusRecord>

export const exampleEstimate = {
  state: 'running' as const,
  estimated_decision_at: '2026-11-15T12:00:04.000Z',
  retry_after_seconds: 4,
}

export const exampleStatus = (kind: string, chargedMicros: number): StatusRecord => ({
  id: examplePostId,
  kind,
  status: 'queued',
  created_at: '2026-11-15T12:00:00.000Z',
  decided_at: null,
  url: null,
  charged_micros: chargedMicros,
  refunded_micros: 0,
  policy_version: '2026-11-15',
  moderation: exampleEstimate,
})
