import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import { inBatches } from '../platform/in-batches.ts'

/** How long it is known who wrote to whom: for complaints. */
export const relayedDays = 30

/** By then the job has given up: a text that nobody will send is nobody's business. */
const textDays = 3

/** Erases texts that could not be sent, and forgets who wrote to whom a month ago. */
export async function forgetRelayed(db: Database, at: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(at.getTime() - days * 86_400_000)
  await inBatches(
    db,
    (batch) => sql`
      update relayed_messages set message = null where id in (
        select id from relayed_messages where message is not null and created_at <= ${daysAgo(textDays)}
        limit ${batch} for no key update skip locked
      )`,
  )
  await inBatches(
    db,
    (batch) => sql`
      delete from relayed_messages where id in (
        select id from relayed_messages where created_at <= ${daysAgo(relayedDays)} limit ${batch} for update skip locked
      )`,
  )
}
