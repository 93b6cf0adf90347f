import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expiryCutoff } from '../contract/retention/periods.ts'
import { readAuditHead } from '../platform/audit-chain.ts'
import { inTransaction, type Transaction } from '../platform/database/database.ts'
import { deleteInBatches, type Purge } from '../platform/repeat.ts'
import { type Published, writeCheckpoint } from './checkpoints.ts'
import { auditHeadFacts, type CommittedType, commitmentTo, committedEntry, removedEntry, saltBytes } from './entries.ts'
import { currentLog, isOpenTo, type LogHead, readLogHead, type TransparencyLog } from './log.ts'
import { signNote } from './notes.ts'
import { continues } from './read-tiles.ts'
import { extendTree, rootOfEdge, type TileHash } from './tree/extend-tree.ts'
import { hashOfEntry } from './tree/hashes.ts'

const batchSize = 2_000

/** How often the head of the audit log is noted, if it changes. */
export const auditEveryMs = 60_000

type Waiting = {
  id: number
  type: Exclude<CommittedType, 'audit'> | 'removed'
  commitment: Buffer | null
  removes_queued: number | null
  removes_index: number | null
}

/**
 * Appends what waits in the queue, in one transaction with the new root and its signed checkpoint. Nothing is published
 * here, so no signature leaves the process before the commit. The row of the head is locked: one writer at a time.
 * Nothing is appended to a tree that does not have what is published: the database may have failed over meanwhile.
 * Returns whether more is waiting.
 */
export function appendEntries(log: TransparencyLog, published: Published): Promise<boolean> {
  return inTransaction(log.db, async (tx) => {
    const head = await readLogHead(tx, { locked: true })
    if (!isOpenTo(log, head) || !(await continues(tx, head, published))) return false
    const waiting = await readQueue(tx)
    const audit = await readNewAuditHead(tx, head, log.clock.now())
    const resolved = await resolveRemovals(tx, waiting, head.size)
    const entries = resolved.map(({ entry }) => entry)
    if (audit) entries.push(await noteAuditHead(tx, log, audit, head.size + entries.length))
    if (entries.length === 0) return false
    await appendTo(tx, log, head, entries)
    await assignIndexes(tx, resolved, log.clock.now())
    return waiting.length === batchSize
  })
}

const readQueue = async (tx: Transaction): Promise<Waiting[]> =>
  (await tx
    .selectFrom('log_queue')
    .select(['id', 'type', 'commitment', 'removes_queued', 'removes_index'])
    .where('entry_index', 'is', null)
    .orderBy('id')
    .limit(batchSize)
    .execute()) as Waiting[]

async function readNewAuditHead(tx: Transaction, { auditPosition, auditNotedAt }: LogHead, at: Date) {
  if (auditNotedAt && at.getTime() - auditNotedAt.getTime() < auditEveryMs) return undefined
  const audit = await readAuditHead(tx)
  return audit && audit.position > auditPosition ? audit : undefined
}

type AuditHead = { position: number; hash: string }

/** Keeps the salt, so that the operator can open the entry for an auditor. Returns the entry. */
async function noteAuditHead(tx: Transaction, { clock, signer }: TransparencyLog, audit: AuditHead, index: number) {
  const salt = randomBytes(saltBytes)
  const row = { entry_index: index, position: audit.position, hash: Buffer.from(audit.hash, 'hex'), salt }
  await tx.insertInto('log_audit_heads').values(row).execute()
  await tx.updateTable('log_head').set({ audit_position: audit.position, audit_noted_at: clock.now() }).execute()
  return committedEntry('audit', commitmentTo(signer.name, salt, auditHeadFacts(audit)))
}

type Resolved = { queueId: number; index: number; entry: string }

/** A removal may name an entry that was queued before it: in this batch or in an earlier one, but never in a later one. */
async function resolveRemovals(tx: Transaction, waiting: readonly Waiting[], size: number): Promise<Resolved[]> {
  const known = await indexesOf(
    tx,
    waiting.flatMap(({ removes_queued }) => removes_queued ?? []),
  )
  const resolved: Resolved[] = []
  for (const { id, type, commitment, removes_queued, removes_index } of waiting) {
    const index = size + resolved.length
    if (type !== 'removed') {
      known.set(id, index)
      resolved.push({ queueId: id, index, entry: committedEntry(type, commitment as Buffer) })
      continue
    }
    const removed = removes_index ?? known.get(removes_queued as number)
    // Its entry waits too, in a later batch.
    if (removed === undefined) continue
    resolved.push({ queueId: id, index, entry: removedEntry(removed) })
  }
  return resolved
}

async function indexesOf(tx: Transaction, queueIds: readonly number[]): Promise<Map<number, number>> {
  if (queueIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('log_queue')
    .select(['id', 'entry_index'])
    .where('id', 'in', queueIds)
    .where('entry_index', 'is not', null)
    .execute()
  return new Map(rows.map(({ id, entry_index }) => [id, entry_index as number]))
}

/** Appends entries to the locked log and signs the new checkpoint. */
async function appendTo(tx: Transaction, { signer }: TransparencyLog, head: LogHead, entries: readonly string[]) {
  const { origin, size, root } = head
  const extended = extendTree(head, entries.map(hashOfEntry))
  const newRoot = rootOfEdge(extended.edge)
  await insertEntries(tx, size, entries)
  await insertTileHashes(tx, extended.tileHashes)
  const note = signNote(signer, writeCheckpoint({ origin, size: extended.size, root: newRoot }))
  await tx.insertInto('log_checkpoints').values({ size: extended.size, note }).execute()
  const { numUpdatedRows } = await tx
    .updateTable('log_head')
    .set({ size: extended.size, root: newRoot, edge: [...extended.edge] })
    .where('size', '=', size)
    .where('root', '=', root)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) throw new Error('another writer has appended to the transparency log')
}

async function insertEntries(tx: Transaction, first: number, entries: readonly string[]): Promise<void> {
  await sql`insert into log_entries (log, index, entry)
    select ${currentLog}, ${first}::bigint + place - 1, entry from unnest(${entries}::text[]) with ordinality as one (entry, place)`.execute(
    tx,
  )
}

async function insertTileHashes(tx: Transaction, tileHashes: readonly TileHash[]): Promise<void> {
  if (tileHashes.length > 0)
    await tx
      .insertInto('log_tile_hashes')
      .values([...tileHashes])
      .execute()
}

/**
 * The rows of posts are locked in the order of their ids, as other transactions with several posts do. A post that has
 * changed or gone meanwhile has another proof or none.
 */
async function assignIndexes(
  tx: Transaction,
  assigned: readonly { queueId: number; index: number }[],
  at: Date,
): Promise<void> {
  if (assigned.length === 0) return
  const ids = assigned.map(({ queueId }) => queueId)
  const pairs = sql`unnest(${ids}::bigint[], ${assigned.map(({ index }) => index)}::bigint[]) as one (id, at)`
  await sql`update log_queue set entry_index = one.at, taken_up_at = ${at} from ${pairs} where log_queue.id = one.id`.execute(
    tx,
  )
  await sql`select from post_proofs where queue_id = any (${ids}::bigint[]) order by post_id for update`.execute(tx)
  await sql`update post_proofs set entry_index = one.at from ${pairs} where queue_id = one.id`.execute(tx)
  await sql`update decision_proofs set entry_index = one.at from ${pairs} where queue_id = one.id`.execute(tx)
}

/** The entries that the log has taken up, without those that a waiting removal names by their row. */
export const deleteLoggedQueue: Purge = (db, at) =>
  deleteInBatches(
    db,
    'log_queue',
    sql`taken_up_at < ${expiryCutoff('log-queue', at)} and not exists (
      select from log_queue waiting where waiting.entry_index is null and waiting.removes_queued = log_queue.id)`,
  )
