import { sql } from 'kysely'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { enqueuePostPages } from './status/change-status.ts'

const batchSize = 100
const maxBatches = 100_000

type Refreshing = { db: Database; accountId: string; signal: AbortSignal }

/** Has everything rewritten that shows a public post of an account, after what it shows of its author has changed. */
export async function refreshAuthorPages({ db, accountId, signal }: Refreshing): Promise<void> {
  let after = ''
  for (let batch = 0; batch < maxBatches; batch++) {
    signal.throwIfAborted()
    const ids = await inTransaction(db, async (tx) => {
      const { rows } = await sql<{ id: string }>`
        select id from posts where account_id = ${accountId} and id > ${after} and status = 'published'
        order by id limit ${sql.lit(batchSize)}`.execute(tx)
      for (const { id } of rows) {
        await enqueuePostPages(tx, id)
        // For readers of the stream, the post has changed.
        await sql`select note_author_gone(${id})`.execute(tx)
      }
      return rows.map(({ id }) => id)
    })
    if (ids.length < batchSize) return
    after = ids.at(-1) ?? ''
  }
}
