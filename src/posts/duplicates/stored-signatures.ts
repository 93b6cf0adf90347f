import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/repeat.ts'
import { signatureDays } from '../submit/admission.ts'
import type { Signature } from './signature.ts'

type Kept = { postId: string; edit: number; accountId: string; signature: Signature; at: Date }

/** Keeps what a post, or an edit that waits, resembles. */
export async function storeSignature(tx: Transaction, { postId, edit, accountId, signature, at }: Kept): Promise<void> {
  const { words, bands, minhash } = signature
  await tx
    .insertInto('post_signatures')
    .values({ post_id: postId, edit, account_id: accountId, words, bands, minhash, created_at: at })
    .execute()
}

/** An edit that was accepted is now the post; one that was not is nothing. */
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

/** Drops what is too old to be compared with, so that the index stays as small as a week is. */
export function deleteExpiredSignatures(db: Database, at: Date): Promise<void> {
  const before = new Date(at.getTime() - signatureDays * 86_400_000)
  return inBatches(
    db,
    (batch) => sql`
      delete from post_signatures where (post_id, edit) in (
        select post_id, edit from post_signatures where created_at <= ${before} order by created_at limit ${batch}
        for update skip locked
      )`,
  )
}
