import { z } from 'zod'
import { draftLimits } from '../contract/draft-limits.ts'
import { accountUrl, forHuman, identifier, micros, timestamp } from '../contract/fields.ts'
import { Problem } from '../contract/problems/problem.ts'
import type { Kind } from '../kinds/index.ts'
import { contentTrustField, shownFields } from '../posts/public/public-post.ts'
import { examplePostId, postId } from '../posts/status/status-record.ts'
import { type DraftState, draftStates } from './draft-states.ts'

export const exampleDraftId = 'draft_01jcmzq8e5f7r9t2v4x6y8z0ab'
export const draftId = identifier('draft', exampleDraftId)

const stateWords =
  'awaiting_approval: the owner must approve it. scheduled: it is submitted at publish_at, or within seconds. ' +
  'submitted: it is a post, see post_id. failed: it was refused, see problem. declined, expired, cancelled: it will ' +
  'not be published.'

const facts = {
  id: draftId,
  state: z.enum(draftStates).meta({ description: stateWords }),
  kind: z.string(),
  publish_at: timestamp.optional().meta({ description: 'When the post is submitted, if you scheduled it.' }),
  created_at: timestamp,
  expires_at: timestamp.nullable().meta({
    description: `When the draft expires unless the owner approves it: ${draftLimits.approvalDays} days after it was created, or a day after publish_at if that is later. Null if it needs no approval.`,
  }),
  approved_at: timestamp.optional().meta({ description: 'When the owner approved it.' }),
  decided_at: timestamp.optional().meta({ description: 'When the draft ended.' }),
  total_micros: micros.meta({ description: 'The price, charged when the draft is submitted and not before.' }),
  post_id: postId.optional().meta({ description: 'The post, once the draft is submitted.' }),
  problem: z
    .strictObject({
      code: z.string().meta({ description: 'The code of the problem that POST /v1/posts would return.' }),
      detail: z.string(),
      errors: z.array(z.strictObject({ pointer: z.string(), detail: z.string() })).optional(),
    })
    .optional()
    .meta({ description: 'Why the draft could not be submitted. Nothing was charged.' }),
}

export const draftRecord = z.strictObject(facts).meta({ component: 'Draft' })

/** The response to a submission that must wait. */
export const draftAnswer = z
  .strictObject({ draft: draftRecord, account_url: accountUrl.optional(), for_human: forHuman.optional() })
  .meta({ component: 'DraftAnswer' })

/** A draft of this kind with its text. The text is null once the draft has ended, unless it failed. */
const draftOf = (kind: Kind) =>
  z
    .strictObject({
      ...facts,
      kind: z.literal(kind.name),
      content_trust: contentTrustField,
      content: z.strictObject(shownFields(kind)).nullable().meta({
        description: 'What you submitted. Null once the draft has ended, unless it failed.',
      }),
    })
    .meta({ component: `${kind.name.charAt(0).toUpperCase()}${kind.name.slice(1)}Draft` })

export function draftWithTextOf(kinds: readonly Kind[]) {
  const [first, ...others] = kinds.map(draftOf)
  return z.discriminatedUnion('kind', [first as NonNullable<typeof first>, ...others])
}

export type DraftRow = {
  id: string
  state: DraftState
  kind: string
  content: unknown
  total_micros: number
  publish_at: Date | null
  created_at: Date
  expires_at: Date | null
  approved_at: Date | null
  decided_at: Date | null
  post_id: string | null
  problem: unknown
}

export const draftColumns = [
  'id',
  'state',
  'kind',
  'content',
  'total_micros',
  'publish_at',
  'created_at',
  'expires_at',
  'approved_at',
  'decided_at',
  'post_id',
  'problem',
] as const satisfies readonly (keyof DraftRow)[]

/** The facts of a draft, without its text. */
export function describeDraft(row: Omit<DraftRow, 'content'>): z.input<typeof draftRecord> {
  const { publish_at, approved_at, decided_at, post_id, problem } = row
  return {
    id: row.id,
    state: row.state,
    kind: row.kind,
    ...(publish_at && { publish_at: publish_at.toISOString() }),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    ...(approved_at && { approved_at: approved_at.toISOString() }),
    ...(decided_at && { decided_at: decided_at.toISOString() }),
    total_micros: row.total_micros,
    ...(post_id && { post_id }),
    ...(problem ? { problem: problem as DraftProblem } : {}),
  }
}

/** The draft for its account: with its text, which a model may have copied from anywhere and is labelled. */
export const describeWithText = (row: DraftRow) => ({
  ...describeDraft(row),
  content_trust: 'untrusted-user-content' as const,
  content: row.content,
})

export type DraftProblem = { code: string; detail: string; errors?: { pointer: string; detail: string }[] }

/** What is kept of a refusal: texts of ours, and nothing that the agent wrote. */
export const keptProblem = ({ code, message, members: { errors } }: Problem): DraftProblem => ({
  code,
  detail: message,
  ...(errors && { errors: errors.map(({ pointer, detail }) => ({ pointer, detail })) }),
})

export const draftNotFound = () => new Problem('draft_not_found', 'This account has no such draft.')

export const exampleDraft = (kind: Kind): z.input<typeof draftRecord> => ({
  id: exampleDraftId,
  state: 'submitted',
  kind: kind.name,
  publish_at: '2026-11-20T08:00:00.000Z',
  created_at: '2026-11-15T12:00:00.000Z',
  expires_at: null,
  decided_at: '2026-11-20T08:00:04.000Z',
  total_micros: kind.priceMicros,
  post_id: examplePostId,
})

/** The answer to a submission that waits for the owner and for its time. */
export const exampleDraftAnswer = (kind: Kind): z.input<typeof draftAnswer> => ({
  draft: {
    id: exampleDraftId,
    state: 'awaiting_approval',
    kind: kind.name,
    publish_at: '2026-11-20T08:00:00.000Z',
    created_at: '2026-11-15T12:00:00.000Z',
    expires_at: '2026-11-22T12:00:00.000Z',
    total_micros: kind.priceMicros,
  },
  account_url: 'https://account.broadside.example/o/3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  for_human: true,
})
