import { sql } from 'kysely'
import { enqueueSoon } from '../jobs/enqueue.ts'
import { type Database, inTransaction } from '../platform/database.ts'
import { inBatches } from '../platform/in-batches.ts'
import { announceChanges } from './locks.ts'

const keptMs = 30 * 86_400_000

/** Forgets what was taken down 30 days ago; the lists that still said so are written anew. */
export async function forgetWithdrawals(db: Database, at: Date): Promise<void> {
  for (let round = 0; round < maxRounds; round++) if ((await forgetSome(db, at)) < batchSize) break
  await forgetShelves(db, at)
}

const batchSize = 200
const maxRounds = 500

type Forgotten = { kind: string; shelves: string[]; occasion: object | null }

function forgetSome(db: Database, at: Date): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<Forgotten>`
      delete from withdrawals where post_id in (
        select post_id from withdrawals where withdrawn_at <= ${new Date(at.getTime() - keptMs)}
        order by withdrawn_at limit ${sql.lit(batchSize)}
      ) returning kind, shelves, occasion`.execute(tx)
    const pages = new Map(rows.flatMap(pagesShowing).map((one) => [`${one.kind} ${one.page}`, one]))
    await announceChanges(tx, [...pages.keys()])
    const jobs = [...pages].map(([once, payload]) => ({ payload, once }))
    await enqueueSoon(tx, 'build-page', jobs, 0)
    return rows.length
  })
}

function pagesShowing({ kind, shelves, occasion }: Forgotten): { kind: string; page: string }[] {
  const names = occasion ? shelves.map((path) => `shelf:${path}`) : []
  return ['deleted', ...names].map((page) => ({ kind, page }))
}

/**
 * A topic is an author's word: when nothing has stood under it for so long, it goes too. Not earlier, since a rebuild
 * that was begun before must still learn from its row that its page is gone.
 */
const forgetShelves = (db: Database, at: Date) =>
  inBatches(
    db,
    (batch) => sql`
      delete from shelves where (kind, path) in (
        select kind, path from shelves where emptied_at <= ${new Date(at.getTime() - keptMs)} limit ${batch}
      )`,
  )
