import type { Database } from '../platform/database/database.ts'
import type { PageStore } from '../platform/page-store/site-store.ts'
import { readCheckpoint } from './checkpoints.ts'
import { auditHeadFacts, commitmentTo, committedEntry } from './entries.ts'
import { currentLog, readLogHead } from './log.ts'
import { parseVerifierKey } from './notes.ts'
import { continues, readLogEntries } from './read-tiles.ts'
import { extendTree, rootOfEdge, type TileHash, type TreeEdge, tileWidth } from './tree/extend-tree.ts'
import { hashOfEntry } from './tree/hashes.ts'
import { bundleOf, entriesInBundle, type Tile, tilePath } from './tree/tiles.ts'

export type LogVerification = { size: number; publishedSize: number; stoppedReason: string | null; faults: string[] }

const tilesAtOnce = 64
const maxFaults = 20
const hashBytes = 32

/**
 * Computes the log again from its entries, and compares every stored checkpoint and, if there is a store, every published
 * tile and bundle of entries with it. It also opens the entries of the audit log's heads, and compares them with its hash chain.
 */
export async function verifyLog(
  db: Database,
  store: Store | undefined,
  onProgress: (done: number, total: number) => void,
): Promise<LogVerification> {
  // First, because a running log goes on meanwhile.
  const note = (await store?.read('checkpoint'))?.toString()
  const head = await readLogHead(db)
  if (!head) return { size: 0, publishedSize: 0, stoppedReason: null, faults: ['The log was never opened.'] }
  const { size, publishedSize, stoppedReason } = head
  const key = parseVerifierKey(head.verifierKey)
  const faults: string[] = []
  const report = (fault: string) => void (faults.length < maxFaults && faults.push(fault))
  const published = readCheckpoint(note ?? '', key)
  const filesSize = Math.min(published?.size ?? publishedSize, size)
  /** The hashes of full tiles, by level. */
  const above: Buffer[][] = []
  let tree: TreeEdge = { size: 0, edge: [] }
  while (tree.size < size) {
    const end = Math.min(size, tree.size + tilesAtOnce * tileWidth)
    const entries = await readLogEntries(db, tree.size, end)
    if (store) await compareLowest(store, { first: tree.size, entries, filesSize }, report)
    const extended = await compareCheckpoints(db, tree, entries, (note, at) => {
      const checkpoint = readCheckpoint(note, key)
      const isRight = checkpoint?.size === at.size && checkpoint.root.equals(rootOfEdge(at.edge))
      if (!isRight) report(`The checkpoint of size ${at.size} does not match the entries, or its signature is invalid.`)
    })
    for (const { level, hash } of extended.tileHashes) {
      above[level] ??= []
      above[level].push(hash)
    }
    tree = extended
    onProgress(tree.size, size)
  }
  if (store) await compareAbove(store, above, filesSize, report)
  if (!rootOfEdge(tree.edge).equals(head.root)) report('The head does not match the entries.')
  if (store && publishedSize > 0) {
    if (!published || published.size > size)
      report('The published checkpoint is missing, invalid or ahead of the database.')
    else if (!(await continues(db, head, published))) report('The published checkpoint has another root.')
  }
  for (const position of await readWrongAuditHeads(db, head.origin))
    report(`The head of the audit log at position ${position} is not what the transparency log has.`)
  return { size, publishedSize, stoppedReason, faults }
}

/** Extends the tree to each size that has a checkpoint, and to the end of the entries. */
async function compareCheckpoints(
  db: Database,
  start: TreeEdge,
  entries: readonly string[],
  compare: (note: string, at: TreeEdge) => void,
): Promise<TreeEdge & { tileHashes: TileHash[] }> {
  const end = start.size + entries.length
  const rows = await db
    .selectFrom('log_checkpoints')
    .select(['size', 'note'])
    .where('log', '=', currentLog)
    .where('size', '>', start.size)
    .where('size', '<=', end)
    .orderBy('size')
    .execute()
  let tree = start
  const tileHashes: TileHash[] = []
  const extendTo = (size: number) => {
    const extended = extendTree(tree, entries.slice(tree.size - start.size, size - start.size).map(hashOfEntry))
    tileHashes.push(...extended.tileHashes)
    tree = extended
  }
  for (const { size, note } of rows) {
    extendTo(size)
    compare(note, tree)
  }
  extendTo(end)
  return { ...tree, tileHashes }
}

/** The positions whose hash in the audit log is not the one that the transparency log committed to. */
async function readWrongAuditHeads(db: Database, origin: string): Promise<number[]> {
  const rows = await db
    .selectFrom('log_audit_heads as noted')
    .leftJoin('audit_chain', 'audit_chain.position', 'noted.position')
    .leftJoin('log_entries', (join) =>
      join.onRef('log_entries.log', '=', 'noted.log').onRef('log_entries.index', '=', 'noted.entry_index'),
    )
    .select(['noted.position', 'noted.hash', 'noted.salt', 'log_entries.entry', 'audit_chain.hash as chained'])
    .where('noted.log', '=', currentLog)
    .orderBy('noted.position')
    .execute()
  return rows
    .filter(({ position, hash, salt, entry, chained }) => {
      const facts = auditHeadFacts({ position, hash: hash.toString('hex') })
      return !chained?.equals(hash) || entry !== committedEntry('audit', commitmentTo(origin, salt, facts))
    })
    .map(({ position }) => position)
}

type Store = Pick<PageStore, 'read'>
type Report = (fault: string) => void
type Range = { first: number; entries: readonly string[]; filesSize: number }

/** The bundles of entries and the tiles of their hashes. */
async function compareLowest(store: Store, { first, entries, filesSize }: Range, report: Report): Promise<void> {
  const end = Math.min(entries.length, filesSize - first)
  for (let at = 0; at < end; at += tileWidth) {
    const inTile = entries.slice(at, Math.min(at + tileWidth, end))
    const tile = { index: (first + at) / tileWidth, width: inTile.length }
    const bundle = await readTile(store, { level: 'entries', ...tile })
    const there = bundle && entriesInBundle(bundle.bytes, bundle.width)?.slice(0, tile.width)
    const path = tilePath({ level: 'entries', ...tile })
    if (!there || !bundleOf(there).equals(bundleOf(inTile))) report(`${path} is missing or differs.`)
    await compareTile(store, { level: 0, ...tile }, inTile.map(hashOfEntry), report)
  }
}

async function compareAbove(
  store: Store,
  above: readonly Buffer[][],
  filesSize: number,
  report: Report,
): Promise<void> {
  for (const [level, hashes] of above.entries()) {
    if (level === 0) continue
    const count = Math.floor(filesSize / tileWidth ** level)
    for (let first = 0; first < count; first += tileWidth) {
      const inTile = hashes.slice(first, Math.min(first + tileWidth, count))
      await compareTile(store, { level, index: first / tileWidth, width: inTile.length }, inTile, report)
    }
  }
}

async function compareTile(store: Store, tile: Tile, hashes: readonly Buffer[], report: Report): Promise<void> {
  const there = await readTile(store, tile)
  const isWhole = there?.bytes.length === (there?.width ?? 0) * hashBytes
  if (!there || !isWhole || !there.bytes.subarray(0, tile.width * hashBytes).equals(Buffer.concat([...hashes])))
    report(`${tilePath(tile)} is missing or differs.`)
}

/** A running log may have deleted a partial tile since, because the full one is there. */
async function readTile({ read }: Store, tile: Tile): Promise<{ bytes: Buffer; width: number } | undefined> {
  for (const width of new Set([tile.width, tileWidth])) {
    const bytes = await read(tilePath({ ...tile, width }))
    if (bytes) return { bytes, width }
  }
  return undefined
}
