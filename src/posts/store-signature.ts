import type { Transaction } from '../platform/database.ts'
import type { Signature } from './signature.ts'

/** Keeps what a post resembles, in place of what it resembled before. */
export async function storeSignature(
  tx: Transaction,
  { postId, accountId, signature, at }: { postId: string; accountId: string; signature: Signature; at: Date },
): Promise<void> {
  const row = { words: signature.words, bands: signature.bands, minhash: signature.minhash, created_at: at }
  await tx
    .insertInto('post_signatures')
    .values({ post_id: postId, account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column('post_id').doUpdateSet(row))
    .execute()
}
