import { sql } from 'kysely'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import { type Checkpoint, type Published, readCheckpoint } from './checkpoints.ts'
import { currentLog, isOpenTo, keyOfLog, type LogHead, readLogHead, type TransparencyLog } from './log.ts'
import { continues, readLogEntries, tileReader } from './read-tiles.ts'
import { tileWidth } from './tree/extend-tree.ts'
import { bundleOf, entriesInBundle, newTiles, outgrownTiles, type Tile, tilePath } from './tree/tiles.ts'

/** The files are written by one process at a time, which keeps this lock while it writes. */
export const publishingLock = sql`hashtextextended('transparency log files', 0)`

/**
 * Returns whether this process may write files until the end of the transaction. If another one does, the next round
 * tries again. A host that is cut off or paused loses its session, and the lock with it.
 */
export async function takePublishingLock(tx: Transaction): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${publishingLock}) as taken,
      set_config('idle_in_transaction_session_timeout', '10000', true)`.execute(tx)
  return rows[0]?.taken ?? false
}

/** A published file differs from the log in the database. */
export class DifferentFile extends Error {
  constructor(path: string) {
    super(`${path} was published with other bytes`)
  }
}

/** Another process has published more. The next round compares its checkpoint with the database. */
class NewerCheckpoint extends Error {}

/**
 * Publishes what was appended: the tiles first, and the checkpoint last. So every checkpoint that a reader sees has its
 * tiles, also after a crash at any point: the next run repeats what is missing.
 *
 * The transaction is the lock that lets one process publish at a time. The files have limits of time below that of the
 * session.
 */
export function publishFiles(log: TransparencyLog): Promise<void> {
  return inTransaction(log.db, async (tx) => {
    if (!(await takePublishingLock(tx))) return
    const head = await readLogHead(tx)
    if (!isOpenTo(log, head) || head.publishedSize === head.size) return
    const { size, publishedSize } = head
    await writeTiles(tx, log, publishedSize, size)
    await writeCheckpointFile(tx, log, head, { size, note: await readNote(tx, size) })
    await tx
      .updateTable('log_checkpoints')
      .set({ published: true })
      .where('log', '=', currentLog)
      .where('size', '=', size)
      .execute()
    await tx.updateTable('log_head').set({ published_size: size }).execute()
    await deleteOutgrown(tx, log, publishedSize, size)
  })
}

/** Publishes again what the files no longer have. */
export async function writeAgain(
  tx: Transaction,
  log: TransparencyLog,
  head: LogHead,
  from: number,
): Promise<Published> {
  const size = head.publishedSize
  log.logger.warn({ size: from, published_size: size }, 'the files of the transparency log are behind the database')
  const note = await readNote(tx, size)
  const published = readCheckpoint(note, keyOfLog(log))
  if (!published) throw new Error('a stored checkpoint of the transparency log is invalid')
  await writeTiles(tx, log, from, size)
  await writeCheckpointFile(tx, log, head, { size, note })
  await tx.updateTable('log_head').set({ files_lost: false }).execute()
  return published
}

const tilesAtOnce = 64

/** Writes the tiles in pieces: if the files of a long log are lost, it does not fit into memory. */
async function writeTiles(db: Database, { store }: TransparencyLog, from: number, size: number): Promise<void> {
  const tiles = newTiles(from, size)
  for (let start = 0; start < tiles.length; start += tilesAtOnce) {
    const files = new Map<string, Buffer>()
    const readTile = tileReader(db, size)
    for (const tile of tiles.slice(start, start + tilesAtOnce)) {
      const path = tilePath(tile)
      const bytes = await bytesOfTile(db, readTile, tile)
      const there = await store.read(path)
      if (there && !hasSameBeginning(tile, from, there, bytes)) throw new DifferentFile(path)
      files.set(path, bytes)
    }
    await store.apply(files)
  }
}

/**
 * A tile can exist without its checkpoint: a process wrote it, died, and the database lost the entries in a failover.
 * Nobody relied on them. What the published checkpoint covers must be the same.
 */
function hasSameBeginning({ level, index, width }: Tile, publishedSize: number, there: Buffer, bytes: Buffer): boolean {
  const covered = Math.floor(publishedSize / tileWidth ** (level === 'entries' ? 0 : level)) - index * tileWidth
  const count = Math.min(width, Math.max(0, covered))
  if (level !== 'entries') return there.subarray(0, count * 32).equals(bytes.subarray(0, count * 32))
  const [theirs, ours] = [entriesInBundle(there, width), entriesInBundle(bytes, width)]
  return bundleOf(theirs?.slice(0, count) ?? []).equals(bundleOf(ours?.slice(0, count) ?? []))
}

async function bytesOfTile(db: Database, readTile: ReturnType<typeof tileReader>, { level, index, width }: Tile) {
  const first = index * tileWidth
  if (level === 'entries') return bundleOf(await readLogEntries(db, first, first + width))
  return Buffer.concat((await readTile(level, index)).slice(0, width))
}

async function readNote(db: Database, size: number): Promise<string> {
  const row = await db
    .selectFrom('log_checkpoints')
    .select('note')
    .where('log', '=', currentLog)
    .where('size', '=', size)
    .executeTakeFirstOrThrow()
  return row.note
}

/**
 * A process that was paused here must not replace a newer checkpoint, nor one that this tree does not continue: the
 * database may have failed over meanwhile. A bucket compares the sizes as fences. In a directory, a process that is paused
 * between the last look and the rename puts an older checkpoint back; the next round of any process replaces it.
 */
async function writeCheckpointFile(
  tx: Transaction,
  log: TransparencyLog,
  head: LogHead,
  { size, note }: Pick<Checkpoint, 'size'> & { note: string },
): Promise<void> {
  const read = async () => (await log.store.read('checkpoint'))?.toString()
  const there = await read()
  const published = there === undefined ? undefined : readCheckpoint(there, keyOfLog(log))
  if (published && published.size > size) throw new NewerCheckpoint('a newer checkpoint is published')
  if (published && !(await continues(tx, head, published))) throw new DifferentFile('checkpoint')
  if ((await read()) !== there) throw new NewerCheckpoint('another checkpoint was published meanwhile')
  await log.store.apply(new Map([['checkpoint', note]]), size)
}

const maxOutgrown = 1_000

/** Readers use a full tile instead of its parts, so that the parts can go. */
async function deleteOutgrown(tx: Transaction, { store }: TransparencyLog, from: number, size: number): Promise<void> {
  const firstSize = Math.floor(from / tileWidth) * tileWidth
  if (Math.floor(size / tileWidth) * tileWidth === firstSize) return
  // Also those that a process wrote before it died, without their checkpoint.
  const rows = await tx
    .selectFrom('log_checkpoints')
    .select('size')
    .where('log', '=', currentLog)
    .where('size', '>', firstSize)
    .where('size', '<', size)
    .orderBy('size')
    .limit(maxOutgrown)
    .execute()
  const sizes = rows.map((row) => row.size)
  const outgrown = outgrownTiles(sizes, from, size)
  await store.apply(new Map(outgrown.map((tile) => [tilePath(tile), null])))
}
