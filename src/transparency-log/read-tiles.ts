import type { Database } from '../platform/database/database.ts'
import type { Checkpoint } from './checkpoints.ts'
import { currentLog, type LogHead } from './log.ts'
import { tileWidth } from './tree/extend-tree.ts'
import { hashOfEntry } from './tree/hashes.ts'
import { type ReadTile, rememberTiles, rootAt } from './tree/merkle-proofs.ts'

export async function readLogEntries(db: Database, first: number, end: number): Promise<string[]> {
  const rows = await db
    .selectFrom('log_entries')
    .select('entry')
    .where('log', '=', currentLog)
    .where('index', '>=', first)
    .where('index', '<', end)
    .orderBy('index')
    .execute()
  if (rows.length !== end - first) throw new Error('the transparency log lacks entries')
  return rows.map(({ entry }) => entry)
}

/** Reads hashes of the log from the database, as far as the tree of this size has them. */
export function tileReader(db: Database, size: number): ReadTile {
  return rememberTiles(async (level, index) => {
    const first = index * tileWidth
    const end = Math.min(first + tileWidth, Math.floor(size / tileWidth ** level))
    if (level === 0) return (await readLogEntries(db, first, end)).map(hashOfEntry)
    const rows = await db
      .selectFrom('log_tile_hashes')
      .select('hash')
      .where('log', '=', currentLog)
      .where('level', '=', level)
      .where('index', '>=', first)
      .where('index', '<', end)
      .orderBy('index')
      .execute()
    return rows.map(({ hash }) => hash)
  })
}

/** Whether the log in the database has all entries of this checkpoint, or is exactly it. */
export async function continues(
  db: Database,
  head: Pick<LogHead, 'size' | 'root'>,
  { size, root }: Pick<Checkpoint, 'size' | 'root'>,
): Promise<boolean> {
  if (size > head.size) return false
  return root.equals(size === head.size ? head.root : await rootAt(tileReader(db, head.size), size))
}
