import type { EventType } from '../contract/events.ts'
import type { Transaction } from '../platform/database/database.ts'
import { recordEvent } from '../posts/events.ts'

type AnnouncedState = 'submitted' | 'declined' | 'failed' | 'expired'

type Announced = {
  id: string
  kind: string
  accountId: string
  state: AnnouncedState
  postId?: string
  /** The code of the problem. */
  problem?: string
  at: Date
}

const types: Record<AnnouncedState, EventType> = {
  submitted: 'draft.submitted',
  declined: 'draft.declined',
  failed: 'draft.failed',
  expired: 'draft.expired',
}

/** Records the event of a draft in the transaction that ends it. It has facts only, no text. */
export function announceDraft(tx: Transaction, { id, kind, accountId, state, postId, problem, at }: Announced) {
  const data = { id, kind, state, ...(postId && { post_id: postId }), ...(problem && { problem: { code: problem } }) }
  return recordEvent(tx, { type: types[state], accountId, postId: postId ?? null, data, at })
}
