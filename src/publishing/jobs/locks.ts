import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database/database.ts'

// The key space of each advisory lock type, so that equal names in different types never collide.
const changing = 101
const building = 102
const swapping = 103
const rebuilding = 104

/**
 * Announces, until the transaction ends, that these pages are about to change. Call it before enqueueing the pages: if
 * a job is already waiting, no job is added, and the waiting job must see this change.
 */
export async function announceChanges(tx: Transaction, pages: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(page, ${sql.lit(changing)}))
    from unnest(${pages}::text[]) as page`.execute(tx)
}

/** Waits for all changes announced before, in a separate transaction that ends with the statement. */
export async function awaitChanges(db: Database, page: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${page}, ${sql.lit(changing)}))`.execute(db)
}

/**
 * PostgreSQL ends a session that is silent for this long inside a transaction with such a lock. So the pages of a host
 * that was cut off or paused are soon free for others. A writer that is only slow keeps the session alive; see
 * `writeLocked`.
 */
const maxSilenceMs = 3_000

/**
 * The other settings tell within the same time that a host was cut off. Otherwise its sessions that wait for a lock would
 * still get it, one after the other, and keep it from the others for as long again.
 */
const silenceLimits = {
  idle_in_transaction_session_timeout: maxSilenceMs,
  tcp_keepalives_idle: 1,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 2,
  tcp_user_timeout: maxSilenceMs,
}
const limitSilence = sql.join(
  Object.entries(silenceLimits).map(
    ([name, value]) => sql`set_config(${sql.lit(name)}, ${sql.lit(String(value))}, true)`,
  ),
)

/**
 * Until the transaction ends, no other process can build this page in the live tree, so an older build cannot overwrite
 * a newer one, and no rebuild can swap the tree.
 */
export async function buildAlone(tx: Transaction, kind: string, page: string): Promise<void> {
  await sql`select ${limitSilence}, pg_advisory_xact_lock_shared(hashtextextended(${kind}, ${sql.lit(swapping)})),
    pg_advisory_xact_lock(hashtextextended(${page}, ${sql.lit(building)}))`.execute(tx)
}

/**
 * A number that is higher than those of all earlier writers of the same page. Take it while you have the page's lock,
 * before you read the rows: the page store then refuses files that were made from older rows.
 */
export async function takeFence(db: Database): Promise<number> {
  const { rows } = await sql<{ fence: number }>`select nextval('page_versions') as fence`.execute(db)
  return Number(rows[0]?.fence)
}

/** Until the transaction ends, no rebuild can swap the site's live tree or read its version. */
export async function holdTree(tx: Transaction, kind: string): Promise<void> {
  await sql`select ${limitSilence}, pg_advisory_xact_lock_shared(hashtextextended(${kind}, ${sql.lit(swapping)}))`.execute(
    tx,
  )
}

/** Whoever holds this lock is the only one that rebuilds the site. */
export const rebuildLock = (kind: string) => sql`hashtextextended(${kind}, ${sql.lit(rebuilding)})`

/** Waits until no process writes to the site, and blocks writers until the transaction ends. Files are written in it. */
export async function stopTree(tx: Transaction, kind: string): Promise<void> {
  await sql`select set_config('idle_in_transaction_session_timeout', '60000', true), pg_advisory_xact_lock(hashtextextended(${kind}, ${sql.lit(swapping)}))`.execute(
    tx,
  )
}
