import { sql } from 'kysely'
import type { Transaction } from '../platform/database.ts'

// Advisory locks: each rule below has a number space of its own, so that names never meet.
const changing = 101
const building = 102
const swapping = 103

/**
 * Says, until the transaction ends, that these pages are about to change. Taken before asking for the pages to be
 * built: a request that finds another waiting adds nothing, and that one must then see this change.
 */
export async function announceChanges(tx: Transaction, pages: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(page, ${sql.lit(changing)}))
    from unnest(${pages}::text[]) as page`.execute(tx)
}

/** Waits for every change that was announced so far. The transaction should end at once. */
export async function awaitChanges(tx: Transaction, page: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${page}, ${sql.lit(changing)}))`.execute(tx)
}

/** Reads and writes a page alone: of two that build it, the later must not be overtaken by what the earlier read. */
export async function buildAlone(tx: Transaction, page: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${page}, ${sql.lit(building)}))`.execute(tx)
}

/** Keeps the live tree of a site in its place, and its versions in order, until the transaction ends. */
export async function holdTree(tx: Transaction, kind: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${kind}, ${sql.lit(swapping)}))`.execute(tx)
}

/** Waits until nobody writes to the site, and keeps all from it until the transaction ends. */
export async function stopTree(tx: Transaction, kind: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${kind}, ${sql.lit(swapping)}))`.execute(tx)
}
