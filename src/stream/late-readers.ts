import type { Database } from '../platform/database/database.ts'
import { type LogPosition, writeStreamCursor } from './cursor.ts'
import type { StreamFilter } from './filter.ts'
import { partBytes, type StreamReader } from './reader.ts'
import { bytesOfEntries, type EntryRenderer, type StreamEntry, sizeOfEntry } from './render-entry.ts'
import { type LogRow, positionOfRow, readLogPage } from './stream-log.ts'

type Options = {
  db: Database
  renderer: EntryRenderer
  onSent: (events: number) => void
  /** The reader has a page more, and may continue from the ring. */
  onPage: (reader: StreamReader) => void
}

type Lack = { filter: StreamFilter; upTo: LogPosition }

const pageSize = 50
/** How many pages may be read at the same time, and from one look at the log to the next. */
const pagesPerLook = 4
/** More than this many are disconnected, and come back a little later. */
const maxLate = 1_000

/** Reads what the ring no longer has from the database, a page for each reader in turn and few for each look. */
export function openLateReaders({ db, renderer, onSent, onPage }: Options) {
  const late = new Map<StreamReader, Lack>()
  /** A reader whose page is being read must not get the same one twice. */
  const reading = new Set<StreamReader>()
  /** Readers with long posts get shorter pages: what a write does not take is read again. */
  const pageSizes = new WeakMap<StreamReader, number>()
  let pagesLeft = 0

  function readPages(): void {
    for (const [reader, lack] of late) {
      if (reading.size >= pagesPerLook || pagesLeft === 0) return
      late.delete(reader)
      if (reader.isClosed) continue
      pagesLeft -= 1
      reading.add(reader)
      void readOne(reader, lack)
    }
  }

  async function readOne(reader: StreamReader, lack: Lack): Promise<void> {
    try {
      await readPage(reader, lack)
      reading.delete(reader)
      onPage(reader)
      readPages()
    } catch {
      // The database is away. The next look at the log tries again, and reports it.
      reading.delete(reader)
      if (!reader.isClosed) late.set(reader, lack)
    }
  }

  async function readPage(reader: StreamReader, { filter, upTo }: Lack): Promise<void> {
    const limit = pageSizes.get(reader) ?? pageSize
    const range = { after: reader.position, upTo: upTo.position, kind: filter.kind, limit }
    const { rows, oldest } = await readLogPage(db, range)
    // What was deleted meanwhile is missing. When the reader resumes, it is told so.
    if (oldest > reader.position + 1) reader.end('behind')
    const { entries, last } = choose(rows, filter)
    const isWhole = last === rows.at(-1)
    pageSizes.set(reader, Math.min(pageSize, 2 * (isWhole ? limit : rows.indexOf(last as LogRow) + 1)))
    const reached = last && !(isWhole && rows.length < limit) ? positionOfRow(last) : upTo
    // Without an event, the id alone: if the connection breaks, the reader does not start over.
    reader.write(entries.length > 0 ? bytesOfEntries(entries) : Buffer.from(`id: ${writeStreamCursor(reached)}\n\n`))
    reader.position = reached.position
    onSent(entries.length)
  }

  /** The entries that the reader wants, about as many as one write takes, and the last row that was looked at. */
  function choose(rows: readonly LogRow[], filter: StreamFilter) {
    const entries: StreamEntry[] = []
    let size = 0
    let last: LogRow | undefined
    for (const row of rows) {
      if (size >= partBytes) break
      last = row
      if (!renderer.isFor(row, filter)) continue
      const entry = renderer.render(row)
      if (entry.data) entries.push(entry)
      size += sizeOfEntry(entry)
    }
    return { entries, last }
  }

  return {
    /** Once for each look at the log. */
    readPages: (): void => {
      pagesLeft = pagesPerLook
      readPages()
    },
    add: (reader: StreamReader, lack: Lack): void => {
      if (reading.has(reader)) return
      if (late.size >= maxLate && !late.has(reader)) reader.end('behind')
      else late.set(reader, lack)
      readPages()
    },
    remove: (reader: StreamReader): void => void late.delete(reader),
  }
}
