import type { Transaction } from '../platform/database.ts'
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

export async function forgetSignaturesOf(tx: Transaction, postId: string): Promise<void> {
  await tx.deleteFrom('post_signatures').where('post_id', '=', postId).execute()
}
