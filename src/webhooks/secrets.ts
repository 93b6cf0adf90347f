import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Transaction } from '../platform/database/database.ts'
import type { Sealing } from '../platform/sealing.ts'

const secretBytes = 32

/** A new secret as bytes, and as the text that its owner sees once. */
export function newSecret() {
  const key = randomBytes(secretBytes)
  return { key, shown: `whsec_${key.toString('base64')}` }
}

type Kept = { webhookId: string; number: number; key: Buffer; at: Date }

/** The row that a secret is encrypted for. It can be decrypted only for that row. */
export const rowOf = (webhookId: string, number: number) => `${webhookId}:${number}`

export async function keepSecret(tx: Transaction, sealing: Sealing, { webhookId, number, key, at }: Kept) {
  const { sealed, keyId } = sealing.seal(key, rowOf(webhookId, number))
  await tx
    .insertInto('webhook_secrets')
    .values({ webhook_id: webhookId, number, sealed, key_id: keyId, created_at: at })
    .execute()
}

export type Signed = { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string }

/**
 * Signs as Standard Webhooks specifies: one signature per secret, over the exact bytes that are sent, with the time of
 * this attempt.
 */
export function sign(
  secrets: readonly Buffer[],
  { eventId, at, body }: { eventId: string; at: Date; body: Buffer },
): Signed {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signatures = secrets.map((key) => {
    const mac = createHmac('sha256', key).update(`${eventId}.${timestamp}.`).update(body)
    return `v1,${mac.digest('base64')}`
  })
  return { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

const batchSize = 500

type Row = { webhook_id: string; number: number; sealed: Buffer; key_id: string }

/** The number of secrets that are not encrypted with the current key. */
export async function countStale(db: Database, sealing: Sealing): Promise<number> {
  const { stale } = await db
    .selectFrom('webhook_secrets')
    .select((query) => query.fn.countAll<number>().as('stale'))
    .where('key_id', '<>', sealing.currentKeyId)
    .executeTakeFirstOrThrow()
  return stale
}

/**
 * Re-encrypts every secret that does not use the current key, in batches and without a lock, while the service runs.
 * Secrets that are replaced or deleted meanwhile are skipped. Readers can decrypt both the old and the new form.
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
