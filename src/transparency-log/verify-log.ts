import type { Database } from '../platform/database/database.ts'
import type { PageStore } from '../platform/page-store/site-store.ts'
import { readCheckpoint } from './checkpoints.ts'
import { auditHeadFacts, commitmentTo, committedEntry } from './entries.ts'
import { currentLog, readLogHead } from './log.ts'
import { parseVerifierKey } from './notes.ts'
import { continues, readLogEntries } from './read-tiles.ts'
import { extendTree, rootOfEdge, type TreeEdge, tileWidth } from './tree/extend-tree.ts'
import { hashOfEntry } from './tree/hashes.ts'
import { bundleOf, tilePath } from './tree/tiles.ts'

export type LogVerification = { size: number; publishedSize: number; stoppedReason: string | null; faults: string[] }

const tilesAtOnce = 64
const maxFaults = 20

/**
 * Computes the log again from its entries, and compares every stored checkpoint and, if there is a store, every published
 * bundle of entries with it. It also opens the entries of the audit log's heads, and compares them with its hash chain.
 */
export async function verifyLog(
  db: Database,
  store: Pick<PageStore, 'read'> | undefined,
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
  let tree: TreeEdge = { size: 0, edge: [] }
  while (tree.size < size) {
    const end = Math.min(size, tree.size + tilesAtOnce * tileWidth)
    const entries = await readLogEntries(db, tree.size, end)
    if (store) await compareBundles(store, { first: tree.size, entries, publishedSize }, report)
    tree = await compareCheckpoints(db, tree, entries, (note, at) => {
      const checkpoint = readCheckpoint(note, key)
      const isRight = checkpoint?.size === at.size && checkpoint.root.equals(rootOfEdge(at.edge))
      if (!isRight) report(`The checkpoint of size ${at.size} does not match the entries, or its signature is invalid.`)
    })
    onProgress(tree.size, size)
  }
  if (!rootOfEdge(tree.edge).equals(head.root)) report('The head does not match the entries.')
  if (store && publishedSize > 0) {
    const published = readCheckpoint(note ?? '', key)
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
): Promise<TreeEdge> {
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
  const extendTo = (size: number) => {
    tree = extendTree(tree, entries.slice(tree.size - start.size, size - start.size).map(hashOfEntry))
  }
  for (const { size, note } of rows) {
    extendTo(size)
    compare(note, tree)
  }
  extendTo(end)
  return tree
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

type Range = { first: number; entries: readonly string[]; publishedSize: number }

/** Only full bundles: the last one may be about to change. */
async function compareBundles(
  store: Pick<PageStore, 'read'>,
  { first, entries, publishedSize }: Range,
  report: (fault: string) => void,
): Promise<void> {
  for (let at = 0; at + tileWidth <= entries.length && first + at + tileWidth <= publishedSize; at += tileWidth) {
    const path = tilePath({ level: 'entries', index: (first + at) / tileWidth, width: tileWidth })
    const there = await store.read(path)
    if (!there?.equals(bundleOf(entries.slice(at, at + tileWidth)))) report(`${path} is missing or differs.`)
  }
}
