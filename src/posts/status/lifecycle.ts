import type { EditStatus, PostStatus } from '../../../generated/database-types.ts'

export type { EditStatus, PostStatus } from '../../../generated/database-types.ts'

export const postStatuses = [
  'queued',
  'review',
  'published',
  'rejected',
  'removed',
  'deleted',
] as const satisfies readonly PostStatus[]

/** The allowed transitions of a post's status. The database rejects all others (migrations/0008). */
export const postMoves: Record<PostStatus, readonly PostStatus[]> = {
  queued: ['published', 'rejected', 'review', 'deleted'],
  review: ['published', 'rejected', 'deleted'],
  published: ['removed', 'deleted'],
  removed: ['published', 'deleted'],
  rejected: ['deleted'],
  deleted: [],
}

/** The same for an edit of a published post. */
export const editMoves: Record<EditStatus, readonly EditStatus[]> = {
  queued: ['accepted', 'rejected', 'review', 'cancelled'],
  review: ['accepted', 'rejected', 'cancelled'],
  accepted: [],
  rejected: [],
  cancelled: [],
}

/** The undecided statuses of posts and edits. */
export const undecided = ['queued', 'review'] as const
