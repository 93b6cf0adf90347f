import { streamLimits } from '../contract/stream-limits.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/observability/logger.ts'
import type { Sites } from '../posts/sites.ts'
import { type LogPosition, writeStreamCursor } from './cursor.ts'
import { keyOfFilter, type StreamFilter } from './filter.ts'
import { openLateReaders } from './late-readers.ts'
import { partBytes, type StreamReader } from './reader.ts'
import { openEntryRenderer } from './render-entry.ts'
import { openRing, type RingPart } from './ring.ts'
import {
  type LogRow,
  numberEntries,
  positionOfRow,
  readEntries,
  readHead,
  readOldest,
  readPosition,
} from './stream-log.ts'

type Options = { db: Database; clock: Clock; sites: Sites; logger: Logger; onSent: (events: number) => void }

/** How many entries one look at the log reads, and how many of the past a process starts with, for returning readers. */
const batchSize = 100
const warmEntries = 400

/**
 * Follows the log for all public readers of a process. Each entry is read, rendered and encoded once; readers with the
 * same filter share the bytes. Readers that are behind continue from the ring or, page by page, from the database.
 */
export function openPublicStream({ db, clock, sites, logger, onSent }: Options) {
  const groups = openGroups()
  const renderer = openEntryRenderer(sites, logger)
  const ring = openRing({ entries: streamLimits.ringEntries, bytes: streamLimits.ringBytes })
  let head: LogPosition | null = null
  const late = openLateReaders({ db, renderer, onSent, onPage: pump })

  const forgetAll = () => {
    head = null
    ring.clear()
  }

  /** Reads what is new and hands it to the readers. Returns true if more is waiting. */
  async function look(): Promise<boolean> {
    if (groups.isEmpty()) {
      forgetAll()
      return false
    }
    await numberEntries(db, clock.now())
    head ??= await startingPoint(db, clock.now())
    const known = head
    // With the last entry that is known, which shows that the log has not lost its end in a failover.
    const rows = await readEntries(db, { after: known.position - 1, limit: batchSize + 1 })
    const added = rowsAfter(known, rows)
    if (!added) {
      forgetAll()
      for (const reader of groups.readers()) reader.end('rewound')
      return false
    }
    if (added.length > 0) append(known, added)
    for (const reader of groups.readers()) pump(reader)
    late.readPages()
    return added.length === batchSize
  }

  function append(known: LogPosition, rows: readonly LogRow[]): void {
    ring.append(rows.map(renderer.render))
    head = positionOfRow(rows.at(-1) as LogRow)
    for (const { filter, readers } of groups.all()) {
      // If it is long, this is its first part, and `pump` gives each reader the others.
      const part = ring.after(known.position, filter, partBytes)
      if (!part) continue
      for (const reader of readers)
        if (reader.blockedSince === null && reader.position === known.position) hand(reader, part)
    }
  }

  function hand(reader: StreamReader, { bytes, position, events }: RingPart): void {
    reader.write(bytes)
    reader.position = position
    onSent(events)
  }

  /** Gives a reader what it lacks, until its connection is full or it has everything. */
  function pump(reader: StreamReader): void {
    const filter = groups.filterOf(reader)
    while (head && !reader.isClosed && reader.blockedSince === null && reader.position < head.position) {
      const part = ring.after(reader.position, filter, partBytes)
      if (!part) {
        late.add(reader, { filter, upTo: head })
        return
      }
      hand(reader, part)
    }
  }

  return {
    look,
    add: (reader: StreamReader, filter: StreamFilter): void => {
      groups.add(reader, filter)
      pump(reader)
    },
    remove: (reader: StreamReader): void => {
      groups.remove(reader)
      late.remove(reader)
    },
    resume: pump,
    /** The id of the newest entry, for readers that have everything: their filter may match nothing for days. */
    heartbeatOf: (reader: StreamReader): string => {
      if (!head || reader.position !== head.position) return ':\n\n'
      // An empty log has no entry whose time would count.
      const cursor = head.position > 0 ? head : { ...head, at: clock.now() }
      return `:\nid: ${writeStreamCursor(cursor)}\n\n`
    },
    ringBytes: ring.bytes,
  }
}

/** Readers by their filter. */
function openGroups() {
  const groups = new Map<string, { filter: StreamFilter; readers: Set<StreamReader> }>()
  const filters = new WeakMap<StreamReader, StreamFilter>()
  return {
    isEmpty: () => groups.size === 0,
    all: () => groups.values(),
    readers: () => [...groups.values()].flatMap(({ readers }) => [...readers]),
    filterOf: (reader: StreamReader) => filters.get(reader) as StreamFilter,
    add: (reader: StreamReader, filter: StreamFilter): void => {
      const key = keyOfFilter(filter)
      const group = groups.get(key) ?? { filter, readers: new Set() }
      groups.set(key, group)
      group.readers.add(reader)
      filters.set(reader, filter)
    },
    remove: (reader: StreamReader): void => {
      const filter = filters.get(reader)
      const group = filter && groups.get(keyOfFilter(filter))
      if (!filter || !group) return
      group.readers.delete(reader)
      if (group.readers.size === 0) groups.delete(keyOfFilter(filter))
    },
  }
}

/** Where a process starts to read: a little before the end of the log, for readers that come back. */
async function startingPoint(db: Database, at: Date): Promise<LogPosition> {
  const [newest, oldest] = [await readHead(db, at), await readOldest(db)]
  const start = newest.position - warmEntries
  const beginning = { position: 0, token: 0, at }
  if (start < oldest) return oldest <= 1 ? beginning : ((await readPosition(db, oldest)) ?? newest)
  return (await readPosition(db, start)) ?? newest
}

/** The rows after the known entry; undefined if that entry is gone or another one, or if a position is missing. */
function rowsAfter(known: LogPosition, rows: readonly LogRow[]): readonly LogRow[] | undefined {
  const isKnown = known.position === 0 || (rows[0]?.position === known.position && rows[0].token === known.token)
  const added = known.position === 0 ? rows.slice(0, batchSize) : rows.slice(1)
  const isComplete = added.every(({ position }, index) => position === known.position + index + 1)
  return isKnown && isComplete ? added : undefined
}

export type PublicStream = ReturnType<typeof openPublicStream>
