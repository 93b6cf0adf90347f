import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database/database.ts'

// Advisory locks: each lock type has its own number space, so that names never collide.
const changing = 101
const building = 102
const swapping = 103
const rebuilding = 104

/**
 * Announces, until the transaction ends, that these pages are about to change. Taken before the pages are enqueued: if
 * a job is already waiting, none is added, and that job must see this change.
 */
export async function announceChanges(tx: Transaction, pages: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(page, ${sql.lit(changing)}))
    from unnest(${pages}::text[]) as page`.execute(tx)
}

/** Waits for all changes announced so far, in a separate transaction that ends with the statement. */
export async function awaitChanges(db: Database, page: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${page}, ${sql.lit(changing)}))`.execute(db)
}

/**
 * Lets only one process read and write a page in the live tree: an older build must not overwrite a newer one, and the
 * tree must not be swapped until the transaction ends.
 */
export async function buildAlone(tx: Transaction, kind: string, page: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${kind}, ${sql.lit(swapping)})),
    pg_advisory_xact_lock(hashtextextended(${page}, ${sql.lit(building)}))`.execute(tx)
}

/** Prevents a swap of the live tree of a site, and keeps its versions in order, until the transaction ends. */
export async function holdTree(tx: Transaction, kind: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${kind}, ${sql.lit(swapping)}))`.execute(tx)
}

/** Whoever holds this lock is the only one that rebuilds the site. */
export const rebuildLock = (kind: string) => sql`hashtextextended(${kind}, ${sql.lit(rebuilding)})`

/** Waits until nobody writes to the site, and blocks writers until the transaction ends. */
export async function stopTree(tx: Transaction, kind: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${kind}, ${sql.lit(swapping)}))`.execute(tx)
}
