import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import type { Sealing } from '../platform/sealing.ts'
import { rowOf } from './secret.ts'

const batchSize = 500

type Row = { webhook_id: string; number: number; sealed: Buffer; key_id: string }

/** How many secrets are not sealed under the current key. */
export async function countStale(db: Database, sealing: Sealing): Promise<number> {
  const { stale } = await db
    .selectFrom('webhook_secrets')
    .select((query) => query.fn.countAll<number>().as('stale'))
    .where('key_id', '<>', sealing.currentKeyId)
    .executeTakeFirstOrThrow()
  return stale
}

/**
 * Seals every secret anew that is not under the current key, a batch at a time and without a lock, while all else goes
 * on: one that was replaced or deleted meanwhile is left alone. Whoever reads finds the old form or the new, and opens both.
 */
export async function resealSecrets(db: Database, sealing: Sealing, onProgress: (resealed: number) => void) {
  let resealed = 0
  for (let after: Row | undefined; ; ) {
    const rows = await staleAfter(db, sealing, after)
    for (const row of rows) resealed += await resealOne(db, sealing, row)
    onProgress(resealed)
    after = rows.at(-1)
    if (rows.length < batchSize) return resealed
  }
}

async function staleAfter(db: Database, { currentKeyId }: Sealing, after: Row | undefined): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select webhook_id, number, sealed, key_id from webhook_secrets
    where key_id <> ${currentKeyId} and (webhook_id, number) > (${after?.webhook_id ?? ''}::text, ${after?.number ?? 0}::int)
    order by webhook_id, number limit ${sql.lit(batchSize)}`.execute(db)
  return rows
}

async function resealOne(db: Database, sealing: Sealing, row: Row): Promise<number> {
  const bound = rowOf(row.webhook_id, row.number)
  const { sealed, keyId } = sealing.seal(sealing.open({ sealed: row.sealed, keyId: row.key_id }, bound), bound)
  const { numUpdatedRows } = await db
    .updateTable('webhook_secrets')
    .set({ sealed, key_id: keyId })
    .where('webhook_id', '=', row.webhook_id)
    .where('number', '=', row.number)
    .where('key_id', '=', row.key_id)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
