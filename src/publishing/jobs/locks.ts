import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database/database.ts'

// Advisory locks: each rule below has a number space of its own, so that names never meet.
const changing = 101
const building = 102
const swapping = 103
const rebuilding = 104

/**
 * Says, until the transaction ends, that these pages are about to change. Taken before asking for the pages to be
 * built: a request that finds another waiting adds nothing, and that one must then see this change.
 */
export async function announceChanges(tx: Transaction, pages: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(page, ${sql.lit(changing)}))
    from unnest(${pages}::text[]) as page`.execute(tx)
}

/** Waits for every change that was announced so far. A transaction of its own, which ends with the statement. */
export async function awaitChanges(db: Database, page: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${page}, ${sql.lit(changing)}))`.execute(db)
}

/**
 * Reads and writes a page alone, in the live tree: of two that build it, the later must not be overtaken by what the
 * earlier read, and the tree must stay in its place until the transaction ends.
 */
export async function buildAlone(tx: Transaction, kind: string, page: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${kind}, ${sql.lit(swapping)})),
    pg_advisory_xact_lock(hashtextextended(${page}, ${sql.lit(building)}))`.execute(tx)
}

/** Keeps the live tree of a site in its place, and its versions in order, until the transaction ends. */
export async function holdTree(tx: Transaction, kind: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${kind}, ${sql.lit(swapping)}))`.execute(tx)
}

/** Whether this connection, until it is let go, is the only one that rebuilds the site. */
export async function tryToRebuild(db: Database, kind: string): Promise<boolean> {
  const { rows } = await sql<{ is_alone: boolean }>`
    select pg_try_advisory_lock(hashtextextended(${kind}, ${sql.lit(rebuilding)})) as is_alone`.execute(db)
  return rows[0]?.is_alone ?? false
}

export async function endRebuild(db: Database, kind: string): Promise<void> {
  await sql`select pg_advisory_unlock(hashtextextended(${kind}, ${sql.lit(rebuilding)}))`.execute(db)
}

/** Waits until nobody writes to the site, and keeps all from it until the transaction ends. */
export async function stopTree(tx: Transaction, kind: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${kind}, ${sql.lit(swapping)}))`.execute(tx)
}
