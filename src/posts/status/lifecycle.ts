import type { EditStatus, PostStatus } from '../../platform/database/database-types.ts'

export type { EditStatus, PostStatus } from '../../platform/database/database-types.ts'

export const postStatuses = [
  'queued',
  'review',
  'published',
  'rejected',
  'removed',
  'deleted',
] as const satisfies readonly PostStatus[]

/** Where a post may go from each status. The database refuses every other move (migrations/0008). */
export const postMoves: Record<PostStatus, readonly PostStatus[]> = {
  queued: ['published', 'rejected', 'review', 'deleted'],
  review: ['published', 'rejected', 'deleted'],
  published: ['removed', 'deleted'],
  removed: ['published', 'deleted'],
  rejected: ['deleted'],
  deleted: [],
}

/** The same for a change to a published post. */
export const editMoves: Record<EditStatus, readonly EditStatus[]> = {
  queued: ['accepted', 'rejected', 'review', 'cancelled'],
  review: ['accepted', 'rejected', 'cancelled'],
  accepted: [],
  rejected: [],
  cancelled: [],
}

/** What is still to be decided, for a post and for an edit alike. */
export const undecided = ['queued', 'review'] as const
