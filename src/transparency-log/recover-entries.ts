import { sql } from 'kysely'
import type { Transaction } from '../platform/database/database.ts'
import { assignIndexes, insertEntries, insertTileHashes } from './append-entries.ts'
import type { Checkpoint } from './checkpoints.ts'
import { parseEntry } from './entries.ts'
import { firstOfCurrentLog, type LogHead, type TransparencyLog } from './log.ts'
import { extendTree, rootOfEdge, type TreeEdge, tileWidth } from './tree/extend-tree.ts'
import { hashOfEntry } from './tree/hashes.ts'
import { entriesInBundle, tilePath } from './tree/tiles.ts'

/**
 * Reads the entries back that the database has lost, from the published bundles. They must lead to the published root,
 * which the log has signed; otherwise nothing is changed and false is returned.
 *
 * Entries whose posts are still waiting in the queue get their old index. The others belong to posts that the database no
 * longer has: they are marked as removed, because nobody can open them any more.
 */
export async function recoverEntries(
  tx: Transaction,
  log: TransparencyLog,
  head: LogHead,
  published: Checkpoint & { note: string },
): Promise<boolean> {
  const entries = await readPublished(log, head.size, published.size)
  if (!entries) return false
  const extended = extendTree(head, entries.map(hashOfEntry))
  if (!rootOfEdge(extended.edge).equals(published.root)) return false
  await insertEntries(tx, head.size, entries)
  await insertTileHashes(tx, extended.tileHashes)
  await tx
    .insertInto('log_checkpoints')
    .values({ size: published.size, note: published.note, published: true })
    .execute()
  await moveHead(tx, extended, published)
  await settleQueue(tx, { first: head.size, entries, at: log.clock.now() })
  await reportRemoved(tx, log, entries)
  const posts = await tx
    .selectFrom('post_proofs')
    .select('post_id')
    .where('entry_index', '>=', head.publishedSize)
    .where('queue_id', '>=', firstOfCurrentLog)
    .execute()
  await log.enqueueProofs(
    tx,
    posts.map(({ post_id }) => post_id),
  )
  log.logger.error(
    { size: head.size, published_size: published.size },
    'the database was behind the published transparency log, and read its entries back',
  )
  return true
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

async function moveHead(tx: Transaction, { size, edge }: TreeEdge, { root }: Checkpoint): Promise<void> {
  await tx
    .updateTable('log_head')
    .set({ size, edge: [...edge], root, published_size: size })
    .execute()
}

/** The entries from one size to another, or undefined if a bundle is missing or damaged. */
async function readPublished({ store }: TransparencyLog, from: number, size: number): Promise<string[] | undefined> {
  const all: string[] = []
  for (let index = Math.floor(from / tileWidth); index * tileWidth < size; index += 1) {
    const width = Math.min(tileWidth, size - index * tileWidth)
    const bundle = await store.read(tilePath({ level: 'entries', index, width }))
    const entries = bundle && entriesInBundle(bundle, width)
    if (!entries) return undefined
    all.push(...entries.slice(Math.max(0, from - index * tileWidth)))
  }
  return all
}

type Recovered = { first: number; entries: readonly string[]; at: Date }

async function settleQueue(tx: Transaction, { first, entries, at }: Recovered): Promise<void> {
  const waiting = await tx
    .selectFrom('log_queue')
    .select(['id', 'type', 'commitment', 'removes_index'])
    .where('entry_index', 'is', null)
    .execute()
  const waitingFor = new Map(
    waiting.map(({ id, commitment, removes_index }) => [commitment?.toString('hex') ?? `removed ${removes_index}`, id]),
  )
  const found: { queueId: number; index: number }[] = []
  const lost: number[] = []
  entries.forEach((entry, position) => {
    const parsed = parseEntry(entry)
    if (parsed.type === 'other') return
    const name = parsed.type === 'removed' ? `removed ${parsed.index}` : parsed.commitment.toString('hex')
    const queueId = waitingFor.get(name)
    const index = first + position
    if (queueId !== undefined) found.push({ queueId, index })
    else if (parsed.type === 'post' || parsed.type === 'edit') lost.push(index)
  })
  await assignIndexes(tx, found, at)
  await sql`insert into log_queue (type, removes_index) select 'removed', index from unnest(${lost}::bigint[]) as index`.execute(
    tx,
  )
}
