import { sql } from 'kysely'
import { expiryCutoff } from '../../contract/retention/periods.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { inBatches, type Purge } from '../../platform/repeat.ts'
import type { Signature } from './signature.ts'

type Kept = { postId: string; edit?: number; accountId: string; signature: Signature; at: Date }

/** Stores the signature of a post, or of a pending edit. */
export async function storeSignature(tx: Transaction, { postId, edit, accountId, signature, at }: Kept): Promise<void> {
  const { words, bands, minhash } = signature
  await tx
    .insertInto('post_signatures')
    .values({ post_id: postId, edit, account_id: accountId, words, bands, minhash, created_at: at })
    .execute()
}

/** The signature of an accepted edit becomes the post's; that of a rejected edit is dropped. */
export async function settleSignatures(tx: Transaction, postId: string, edit: number, isAccepted: boolean) {
  await tx
    .deleteFrom('post_signatures')
    .where('post_id', '=', postId)
    .where('edit', isAccepted ? '<>' : '=', edit)
    .execute()
}

export async function deleteSignaturesOf(tx: Transaction, postId: string): Promise<void> {
  await tx.deleteFrom('post_signatures').where('post_id', '=', postId).execute()
}

/** Deletes signatures that are too old to compare, so that the index stays small. */
export const deleteExpiredSignatures: Purge = (db, at) =>
  inBatches(
    db,
    (batch) => sql`
      delete from post_signatures where (post_id, edit) in (
        select post_id, edit from post_signatures where created_at <= ${expiryCutoff('signatures', at)}
        order by created_at limit ${batch} for update skip locked
      )`,
  )
