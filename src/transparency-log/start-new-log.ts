import { sql } from 'kysely'
import type { Database, Transaction } from '../platform/database/database.ts'
import type { PageStore } from '../platform/page-store/site-store.ts'
import { readCheckpoint } from './checkpoints.ts'
import { readerOfLog, readLogHead } from './log.ts'
import { type NoteSigner, parseVerifierKey } from './notes.ts'
import { rootOfEmptyTree } from './tree/hashes.ts'

/** Why a log was closed. Published with it. */
export const closeReasons = ['key_leaked', 'key_lost', 'entries_lost'] as const
export type CloseReason = (typeof closeReasons)[number]

/** A new log cannot have the name or the key of another. */
export class UsedName extends Error {}

type Start = {
  signer: Pick<NoteSigner, 'name' | 'verifierKey'>
  reason: CloseReason
  /** The published checkpoint, if the database does not have it. */
  published: string | undefined
  at: Date
}

/**
 * Closes the open log for good and starts the next one, empty. What waited for the old log is dropped: the caller queues
 * published posts and waiting decisions again. No worker may run with the old key.
 */
export async function startNewLog(
  tx: Transaction,
  { signer, reason, published, at }: Start,
): Promise<'done' | 'already'> {
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
  await sql`select start_new_log(
    ${signer.name}, ${signer.verifierKey}, ${rootOfEmptyTree}, ${reason}, ${published ?? null}, ${at})`.execute(tx)
  return 'done'
}

/** The published checkpoint of the open log, if a restored database is behind it. */
export async function readLostCheckpoint(db: Database, store: Pick<PageStore, 'read'>): Promise<string | undefined> {
  const head = await readLogHead(db)
  if (!head) return undefined
  const note = (await readerOfLog(store, head.origin).read('checkpoint'))?.toString()
  const published = note === undefined ? undefined : readCheckpoint(note, parseVerifierKey(head.verifierKey))
  return published && published.size > head.publishedSize ? note : undefined
}
