import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'

const batch = 1_000
const maxBatches = 100

/** Takes ads that expired and events that ended out of the lists, oldest first. What is left over, the next run takes. */
export async function expirePosts(db: Database, at: Date): Promise<void> {
  for (let round = 0; round < maxBatches; round++) {
    const { numAffectedRows } = await sql`
      update posts set listed = false where id in (
        select id from posts where listed and visible_until <= ${at} order by visible_until limit ${batch}
        for update skip locked
      )`.execute(db)
    if (Number(numAffectedRows ?? 0n) < batch) return
  }
}
