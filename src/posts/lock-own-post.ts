import type { Transaction } from '../platform/database.ts'
import { type LockedPost, lockPost } from './change-status.ts'
import { postNotFound } from './read-post.ts'
import { findOwnPost } from './read-status.ts'

/** Locks a post for the account that submitted it on this site. Nobody else can make it wait, or learn that it exists. */
export async function lockOwnPost(
  tx: Transaction,
  whose: { id: string; accountId: string; kind: string },
): Promise<LockedPost> {
  const post = (await findOwnPost(tx, whose)) && (await lockPost(tx, whose.id))
  if (!post) throw postNotFound()
  return post
}
