import { lockBalance } from '../../ledger/balance.ts'
import { returnFee } from '../../ledger/charges.ts'
import { settleDebt } from '../../ledger/deposits.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { lockPost } from '../status/change-status.ts'
import { ledgerSubject } from '../submit/quote.ts'

type Sweep = { db: Database; at: Date; feeReturnSeconds: number }
type Due = { post_id: string; edit: number; account_id: string; opened_at: Date }

const batchSize = 500
/** The maximum number of reviews per run. The next run, a minute later, handles the rest. */
const maxBatches = 10

/** Refunds the fees for posts and edits that have waited too long for a person. They stay in review. */
export async function returnReviewFees({ db, at, feeReturnSeconds }: Sweep): Promise<void> {
  const until = new Date(at.getTime() - feeReturnSeconds * 1_000)
  let after: Due | undefined
  for (let batch = 0; batch < maxBatches; batch++) {
    const due = await listDue(db, until, after)
    for (const one of due) await inTransaction(db, (tx) => returnOne(tx, one, at))
    after = due.at(-1)
    if (due.length < batchSize) return
  }
}

function listDue(db: Database, until: Date, after: Due | undefined): Promise<Due[]> {
  return db
    .selectFrom('reviews')
    .select(['post_id', 'edit', 'account_id', 'opened_at'])
    .where('waits', '=', true)
    .where('fee_returned_at', 'is', null)
    .where('opened_at', '<=', until)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('opened_at', 'post_id', 'edit'),
          '>',
          tuple(after?.opened_at as Date, after?.post_id as string, after?.edit as number),
        ),
      ),
    )
    .orderBy('opened_at')
    .orderBy('post_id')
    .orderBy('edit')
    .limit(batchSize)
    .execute()
}

/**
 * Takes the same locks as a decision, a deletion and an account closure, so that whichever runs second sees the result
 * of the first. There is nothing to refund for posts that were never charged or belong to a closed account.
 */
async function returnOne(tx: Transaction, { post_id: postId, edit, account_id: accountId }: Due, at: Date) {
  await lockPost(tx, postId)
  await lockBalance(tx, accountId)
  if (!(await stillDue(tx, postId, edit))) return
  const subject = ledgerSubject(postId, edit)
  if ((await returnFee(tx, { accountId, subject, at })) === 0) return
  await settleDebt(tx, { accountId, subject: `${postId}/${edit}/review`, at })
  await tx
    .updateTable('reviews')
    .set({ fee_returned_at: at })
    .where('post_id', '=', postId)
    .where('edit', '=', edit)
    .execute()
}

async function stillDue(tx: Transaction, postId: string, edit: number): Promise<boolean> {
  const found = await tx
    .selectFrom('reviews')
    .innerJoin('accounts', 'accounts.id', 'reviews.account_id')
    .select('reviews.post_id')
    .where('reviews.post_id', '=', postId)
    .where('reviews.edit', '=', edit)
    .where('reviews.waits', '=', true)
    .where('reviews.fee_returned_at', 'is', null)
    .where('accounts.standing', '<>', 'closed')
    .executeTakeFirst()
  return found !== undefined
}
