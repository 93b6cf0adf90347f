import { sql } from 'kysely'
import { startOfUtcDay } from '../../contract/time/utc-day.ts'
import { readAuditHead } from '../../platform/audit-chain.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { noCounts } from '../../policy/moderation-counts.ts'
import { countSpan } from './count-span.ts'

const dayMs = 86_400_000
/** After this time, everything that began before midnight is committed, because no transaction can take this long. */
const settlingMs = 300_000
/** The maximum per run, more than a year. The next run counts the rest. */
const daysInRun = 400

type Counting = { kinds: readonly string[]; at: Date }

/** Counts every completed day that is not counted yet, oldest first. Each day is counted once, for all kinds. */
export async function countDays(db: Database, { kinds, at }: Counting): Promise<void> {
  for (const day of await uncountedDays(db, at)) await inTransaction(db, (tx) => countDay(tx, day, { kinds, at }))
}

/** Starts at the first post: nothing can be decided, reported or appealed before that. */
async function uncountedDays(db: Database, at: Date): Promise<string[]> {
  const today = startOfUtcDay(new Date(at.getTime() - settlingMs))
  const { rows } = await sql<{ day: string }>`
    select series::date as day from generate_series(
      (select (created_at at time zone 'UTC')::date from posts order by id limit 1)::timestamp,
      (${today}::timestamptz at time zone 'UTC') - interval '1 day', interval '1 day'
    ) as series
    where not exists (select from counted_days where counted_days.day = series::date)
    order by 1 limit ${sql.lit(daysInRun)}`.execute(db)
  return rows.map(({ day }) => day)
}

async function countDay(tx: Transaction, day: string, { kinds, at }: Counting): Promise<void> {
  const head = await readAuditHead(tx)
  const claimed = await tx
    .insertInto('counted_days')
    .values({ day, counted_at: at, audit_entries: head?.position ?? null, audit_hash: head?.hash ?? null })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .executeTakeFirst()
  // Another run has already counted this day.
  if (claimed.numInsertedOrUpdatedRows !== 1n) return
  const from = new Date(`${day}T00:00:00Z`)
  const counted = await countSpan(tx, { from, to: new Date(from.getTime() + dayMs) })
  const rows = kinds.map((kind) => {
    const own = counted.find((one) => one.kind === kind)
    const { median = null, p90 = null } = own?.reviewHours ?? {}
    const counts = { ...(own?.counts ?? noCounts()), review_hours_median: median, review_hours_p90: p90 }
    return { day, kind, counts: JSON.stringify(counts) }
  })
  await tx.insertInto('moderation_days').values(rows).execute()
}
