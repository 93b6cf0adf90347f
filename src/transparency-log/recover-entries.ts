import { setImmediate as untilOthersRan } from 'node:timers/promises'
import { sql } from 'kysely'
import { withAdvisoryLock } from '../platform/database/advisory-lock.ts'
import { inTransaction, type Transaction } from '../platform/database/database.ts'
import { assignIndexes, insertEntries, insertTileHashes } from './append-entries.ts'
import { type Checkpoint, readCheckpoint } from './checkpoints.ts'
import { parseEntry } from './entries.ts'
import { firstOfCurrentLog, isOpenTo, keyOfLog, readLogHead, stopLog, type TransparencyLog } from './log.ts'
import { extendTree, rootOfEdge, type TreeEdge, tileWidth } from './tree/extend-tree.ts'
import { hashOfEntry } from './tree/hashes.ts'
import { entriesInBundle, tilePath } from './tree/tiles.ts'

/** So many entries are hashed without a break, and inserted in one transaction. */
const batchSize = 16 * tileWidth

const recoveryLock = sql`hashtextextended('recovery of the transparency log', 0)`

type Published = Checkpoint & { note: string }

/**
 * Reads the entries back that the database has lost, from the published bundles. All of them are read and must lead to the
 * published root, which the log has signed, before the first is inserted; otherwise the log stops. They are inserted in
 * batches, each of which must lead to the same root as before. A process that dies meanwhile leaves the rest to the next
 * one: until the last batch the head has no checkpoint, and nothing is appended to it.
 *
 * Entries whose posts are still waiting in the queue get their old index. The others belong to posts that the database no
 * longer has: they are marked as removed, because nobody can open them any more.
 *
 * Returns whether the database has all entries; false also while another process reads them back.
 */
export const recoverEntries = (log: TransparencyLog): Promise<boolean> =>
  withAdvisoryLock(
    log.db,
    recoveryLock,
    () => recover(log),
    () => false,
  )

async function recover(log: TransparencyLog): Promise<boolean> {
  const note = (await log.store.read('checkpoint'))?.toString() ?? ''
  const checkpoint = readCheckpoint(note, keyOfLog(log))
  const head = await readLogHead(log.db)
  if (!checkpoint || !isOpenTo(log, head) || checkpoint.size <= head.size) return true
  const published = { ...checkpoint, note }
  const roots = await computeRoots(log, head, published.size)
  if (!roots?.at(-1)?.equals(published.root)) {
    await stopUnlessChanged(log, head, published)
    return false
  }
  let tree: TreeEdge = head
  for (const root of roots) {
    const next = await recoverBatch(log, tree, published, root)
    if (!next) return false
    tree = next
  }
  log.logger.error(
    { size: head.size, published_size: published.size },
    'the database was behind the published transparency log, and read its entries back',
  )
  return true
}

const endOfBatch = (from: number, size: number) => Math.min(size, from - (from % tileWidth) + batchSize)

/** The root after each batch, or undefined if a bundle is missing or damaged. */
async function computeRoots(log: TransparencyLog, head: TreeEdge, size: number): Promise<Buffer[] | undefined> {
  const roots: Buffer[] = []
  let tree = head
  while (tree.size < size) {
    const entries = await readPublished(log, tree.size, endOfBatch(tree.size, size), size)
    if (!entries) return undefined
    tree = extendTree(tree, entries.map(hashOfEntry))
    roots.push(rootOfEdge(tree.edge))
    await untilOthersRan()
  }
  return roots
}

/** The entries from one size to another, or undefined if a bundle is missing or damaged. */
async function readPublished(
  { store }: TransparencyLog,
  from: number,
  end: number,
  size: number,
): Promise<string[] | undefined> {
  const first = Math.floor(from / tileWidth)
  const bundles = await Promise.all(
    Array.from({ length: Math.ceil(end / tileWidth) - first }, async (_, at) => {
      const index = first + at
      const width = Math.min(tileWidth, size - index * tileWidth)
      const bundle = await store.read(tilePath({ level: 'entries', index, width }))
      return bundle && entriesInBundle(bundle, width)
    }),
  )
  if (bundles.some((entries) => entries === undefined)) return undefined
  return bundles.flatMap((entries) => entries ?? []).slice(from - first * tileWidth)
}

/** Appends one batch to the tree; undefined if another process has changed the log meanwhile. */
async function recoverBatch(
  log: TransparencyLog,
  tree: TreeEdge,
  published: Published,
  root: Buffer,
): Promise<TreeEdge | undefined> {
  const entries = await readPublished(log, tree.size, endOfBatch(tree.size, published.size), published.size)
  const extended = extendTree(tree, entries?.map(hashOfEntry) ?? [])
  if (!entries || !rootOfEdge(extended.edge).equals(root))
    throw new Error('the published entries of the transparency log change while they are read')
  const isDone = await inTransaction(log.db, async (tx) => {
    const head = await readLogHead(tx, { locked: true })
    if (!isOpenTo(log, head) || head.size !== tree.size || !head.root.equals(rootOfEdge(tree.edge))) return false
    await insertEntries(tx, tree.size, entries)
    await insertTileHashes(tx, extended.tileHashes)
    const { size, edge } = extended
    await tx
      .updateTable('log_head')
      .set({ size, edge: [...edge], root, ...(size === published.size && { published_size: size }) })
      .execute()
    if (size === published.size)
      await tx.insertInto('log_checkpoints').values({ size, note: published.note, published: true }).execute()
    await settleQueue(tx, { first: tree.size, entries, at: log.clock.now() })
    await reportRemoved(tx, log, entries)
    return true
  })
  return isDone ? extended : undefined
}

/** The files cannot be those of this log, unless they or the database changed while they were read. */
async function stopUnlessChanged(
  log: TransparencyLog,
  { size, root }: Pick<Checkpoint, 'size' | 'root'>,
  seen: Published,
) {
  await inTransaction(log.db, async (tx) => {
    const head = await readLogHead(tx, { locked: true })
    const note = (await log.store.read('checkpoint'))?.toString()
    if (note === seen.note && head?.size === size && head.root.equals(root)) await stopLog({ ...log, db: tx }, 'forked')
  })
}

/** Posts that were taken down after the backup are public again. Only repeating the erasures takes them down. */
async function reportRemoved(tx: Transaction, { logger }: TransparencyLog, entries: readonly string[]): Promise<void> {
  const removed = entries.map(parseEntry).flatMap((entry) => (entry.type === 'removed' ? [entry.index] : []))
  const { rows } = await sql<{ post_id: string }>`
    select post_id from post_proofs where entry_index = any (${removed}::bigint[])
      and queue_id >= ${firstOfCurrentLog} order by post_id limit 100`.execute(tx)
  if (rows.length > 0)
    logger.error(
      { posts: rows.map(({ post_id }) => post_id) },
      'posts are public that were taken down before the restore: repeat the erasures',
    )
}

type Recovered = { first: number; entries: readonly string[]; at: Date }

async function settleQueue(tx: Transaction, { first, entries, at }: Recovered): Promise<void> {
  const parsed = entries.map((entry, position) => ({ index: first + position, entry: parseEntry(entry) }))
  const committed = parsed.flatMap(({ index, entry }) =>
    'commitment' in entry ? [{ index, type: entry.type, commitment: entry.commitment }] : [],
  )
  const waiting = await findWaiting(tx, committed)
  await assignIndexes(
    tx,
    [...waiting].map(([index, queueId]) => ({ queueId, index })),
    at,
  )
  const removals = new Map(
    parsed.flatMap(({ index, entry }) => (entry.type === 'removed' ? [[entry.index, index] as const] : [])),
  )
  await assignIndexes(tx, await findWaitingRemovals(tx, removals), at)
  const lost = committed.filter(
    ({ index, type }) => (type === 'post' || type === 'edit') && !waiting.has(index) && !removals.has(index),
  )
  await sql`insert into log_queue (type, removes_index)
    select 'removed', index from unnest(${lost.map(({ index }) => index)}::bigint[]) as index`.execute(tx)
}

/** The rows of the queue by the index of their entry. */
async function findWaiting(tx: Transaction, committed: readonly { index: number; commitment: Buffer }[]) {
  const { rows } = await sql<{ id: number; index: number }>`
    select id, one.index from log_queue
    join unnest(${committed.map(({ commitment }) => commitment)}::bytea[],
      ${committed.map(({ index }) => index)}::bigint[]) as one (commitment, index) using (commitment)
    where entry_index is null`.execute(tx)
  return new Map(rows.map(({ id, index }) => [index, id]))
}

/** A removal that waits may name its entry by a row that has got its index only now. `removals`: by what they remove. */
async function findWaitingRemovals(tx: Transaction, removals: ReadonlyMap<number, number>) {
  const { rows } = await sql<{ id: number; removes: number }>`
    select waiting.id, one.removes from log_queue waiting
    left join log_queue target on target.id = waiting.removes_queued
    join unnest(${[...removals.keys()]}::bigint[]) as one (removes)
      on one.removes = coalesce(waiting.removes_index, target.entry_index)
    where waiting.entry_index is null and waiting.type = 'removed'`.execute(tx)
  return rows.map(({ id, removes }) => ({ queueId: id, index: removals.get(removes) as number }))
}
