import type { DraftState } from '../../generated/database-types.ts'

export type { DraftState } from '../../generated/database-types.ts'

export const draftStates = [
  'awaiting_approval',
  'scheduled',
  'submitted',
  'declined',
  'failed',
  'expired',
  'cancelled',
] as const satisfies readonly DraftState[]

/** The states in which a draft can still become a post. */
export const openStates = ['awaiting_approval', 'scheduled'] as const satisfies readonly DraftState[]

/** The allowed moves of a draft. The database rejects all others (migrations/0048). */
export const draftMoves: Record<DraftState, readonly DraftState[]> = {
  awaiting_approval: ['scheduled', 'declined', 'expired', 'cancelled'],
  scheduled: ['submitted', 'failed', 'declined', 'cancelled'],
  submitted: [],
  declined: [],
  failed: [],
  expired: [],
  cancelled: [],
}
