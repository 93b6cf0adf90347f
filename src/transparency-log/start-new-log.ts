import { sql } from 'kysely'
import type { Transaction } from '../platform/database/database.ts'
import { readLogHead } from './log.ts'
import { type NoteSigner, parseVerifierKey } from './notes.ts'
import { rootOfEmptyTree } from './tree/hashes.ts'

/** Why a log was closed. Published with it. */
export const closeReasons = ['key_leaked', 'key_lost', 'entries_lost'] as const
export type CloseReason = (typeof closeReasons)[number]

/** A new log cannot have the name or the key of another. */
export class UsedName extends Error {}

type Start = { signer: Pick<NoteSigner, 'name' | 'verifierKey'>; reason: CloseReason; at: Date }

/**
 * Closes the open log for good and starts the next one, empty. What waited for the old log is dropped: published posts are
 * signed again for the new log, and the caller queues decisions again. No worker may run with the old key.
 */
export async function startNewLog(tx: Transaction, { signer, reason, at }: Start): Promise<'done' | 'already'> {
  const head = await readLogHead(tx, { locked: true })
  if (!head) throw new UsedName('There is no transparency log yet. The first worker that starts opens it.')
  if (head.verifierKey === signer.verifierKey) return 'already'
  const closed = await tx.selectFrom('closed_logs').select(['origin', 'verifier_key']).execute()
  const { key } = parseVerifierKey(signer.verifierKey)
  for (const used of [{ origin: head.origin, verifier_key: head.verifierKey }, ...closed]) {
    if (used.origin === signer.name)
      throw new UsedName(`LOG_URL names an older log, ${used.origin}. Use a new address.`)
    if (parseVerifierKey(used.verifier_key).key.equals(key))
      throw new UsedName(`LOG_SIGNING_KEY is the key of an older log, ${used.origin}. Generate a new key.`)
  }
  await sql`select start_new_log(${signer.name}, ${signer.verifierKey}, ${rootOfEmptyTree}, ${reason}, ${at})`.execute(
    tx,
  )
  await tx.updateTable('log_head').set({ proofs_through: 0 }).execute()
  return 'done'
}
