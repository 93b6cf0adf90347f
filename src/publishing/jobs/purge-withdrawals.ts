import { sql } from 'kysely'
import { expiryCutoff } from '../../contract/retention/periods.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/repeat.ts'
import { enqueuePages } from './enqueue-pages.ts'
import { holdTree } from './locks.ts'

/** Deletes expired withdrawals and rewrites the listings that still show them. */
export async function purgeWithdrawals(db: Database, at: Date): Promise<void> {
  for (let round = 0; round < maxRounds; round++) if ((await forgetSome(db, at)) < batchSize) break
  await deleteEmptyListings(db, at)
}

const batchSize = 200
const maxRounds = 500

type Forgotten = { kind: string; shelves: string[]; occasion: object | null }

function forgetSome(db: Database, at: Date): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<Forgotten>`
      delete from withdrawals where post_id in (
        select post_id from withdrawals where withdrawn_at <= ${expiryCutoff('withdrawals', at)}
        order by withdrawn_at limit ${sql.lit(batchSize)}
      ) returning kind, shelves, occasion`.execute(tx)
    for (const kind of new Set(rows.map((row) => row.kind))) await showForgotten(tx, kind, rows)
    return rows.length
  })
}

/** Enqueues the pages that still show deleted withdrawals, and marks them for a concurrent rebuild. */
async function showForgotten(tx: Transaction, kind: string, rows: readonly Forgotten[]): Promise<void> {
  const withTimes = rows.filter((row) => row.kind === kind && row.occasion)
  const paths = [...new Set(withTimes.flatMap(({ shelves }) => shelves))].sort()
  await holdTree(tx, kind)
  // Locked in the order of paths, as everywhere.
  await sql`
    with locked as (
      select path from shelves where kind = ${kind} and path = any(${paths}) order by path collate "C" for no key update
    )
    update shelves set version = nextval('page_versions') from locked
    where shelves.kind = ${kind} and shelves.path = locked.path`.execute(tx)
  const lists = paths.map((path) => `shelf:${path}`)
  await enqueuePages(tx, kind, { lists, others: ['deleted'] }, { lists: 0, others: 0 })
}

/**
 * A topic is an author's text: if a listing has been empty for long, it is deleted too. Not earlier, because a
 * rebuild that began before must still learn from its row that its page is gone. The time is checked twice: a listing
 * that is being filled must not be deleted because of stale data.
 */
const deleteEmptyListings = (db: Database, at: Date) =>
  inBatches(
    db,
    (batch) => sql`
      delete from shelves where (kind, path) in (
        select kind, path from shelves where emptied_at <= ${expiryCutoff('empty-listings', at)} limit ${batch}
      ) and emptied_at <= ${expiryCutoff('empty-listings', at)}`,
  )
