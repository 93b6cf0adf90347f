import { sql } from 'kysely'
import { type Database, inTransaction } from '../platform/database.ts'
import { askForPages } from './change-status.ts'

/** Takes ads that expired and events that ended out of the lists, oldest first. What is left, the next run takes. */
export async function expirePosts(db: Database, at: Date): Promise<void> {
  for (let round = 0; round < maxRounds; round++) if ((await expireSome(db, at)) < batchSize) return
}

const batchSize = 200
const maxRounds = 500

function expireSome(db: Database, at: Date): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      update posts set listed = false where id in (
        select id from posts where listed and visible_until <= ${at} order by visible_until limit ${sql.lit(batchSize)}
        for update skip locked
      ) returning id`.execute(tx)
    for (const { id } of rows) await askForPages(tx, id)
    return rows.length
  })
}
