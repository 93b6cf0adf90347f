import { isClosed } from '../accounts/closing/forget-account.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database.ts'
import { askForPages, forgetEdits, lockPost, markDeleted } from './change-status.ts'
import { type Sites, siteOf } from './sites.ts'

type Clearing = { db: Database; sites: Sites; accountId: string; at: Date }

/**
 * After an account was closed: what was not public is deleted, and the pages of what was are written again, without the
 * author. A few posts at a time, each time in one transaction; begun again, it finds what is left.
 */
export async function clearAccount(clearing: Clearing): Promise<void> {
  if (!(await isClosed(clearing.db, clearing.accountId))) return
  let after = ''
  for (let batch = 0; batch < maxBatches; batch++) {
    const ids = await inTransaction(clearing.db, (tx) => clearSome(tx, clearing, after))
    if (ids.length < batchSize) return
    after = ids.at(-1) ?? ''
  }
}

const batchSize = 100
const maxBatches = 100_000

async function clearSome(tx: Transaction, { sites, accountId, at }: Clearing, after: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('posts')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(batchSize)
    .execute()
  for (const { id } of rows) {
    const post = await lockPost(tx, id)
    if (!post || post.status === 'deleted') continue
    if (post.status !== 'published') {
      await markDeleted(tx, siteOf(sites, post.kind).kind, post, at)
      continue
    }
    await forgetEdits(tx, id)
    await askForPages(tx, id)
  }
  return rows.map(({ id }) => id)
}
