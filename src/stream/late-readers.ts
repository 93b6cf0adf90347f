import type { Database } from '../platform/database/database.ts'
import type { Sites } from '../posts/sites.ts'
import type { StreamFilter } from './filter.ts'
import type { StreamReader } from './reader.ts'
import { renderEntry } from './render-entry.ts'
import { type LogRow, readEntries, readOldest } from './stream-log.ts'

type Options = {
  db: Database
  sites: Sites
  onSent: (events: number) => void
  /** The reader has a page more, and may continue from the ring. */
  onPage: (reader: StreamReader) => void
}

type Lack = { filter: StreamFilter; upTo: number }

const pageSize = 50
const pagesAtATime = 4
/** More than this many are disconnected, and come back a little later. */
const maxLate = 1_000

/** Reads what the ring no longer has from the database, a page for each reader in turn and few at the same time. */
export function openLateReaders({ db, sites, onSent, onPage }: Options) {
  const late = new Map<StreamReader, Lack>()
  /** A reader whose page is being read must not get the same one twice. */
  const reading = new Set<StreamReader>()

  function readPages(): void {
    for (const [reader, lack] of late) {
      if (reading.size >= pagesAtATime) return
      late.delete(reader)
      if (reader.isClosed) continue
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
    const rows = await readEntries(db, { after: reader.position, upTo, kind: filter.kind, limit: pageSize })
    // What was deleted meanwhile is missing. When the reader resumes, it is told so.
    if ((await readOldest(db)) > reader.position + 1) reader.end('behind')
    const entries = rows.map((row) => renderEntry(sites, row)).filter((entry) => entry.bytes && entry.isFor(filter))
    reader.write(Buffer.concat(entries.map((entry) => entry.bytes as Buffer)))
    reader.position = rows.length < pageSize ? upTo : (rows.at(-1) as LogRow).position
    onSent(entries.length)
  }

  return {
    readPages,
    add: (reader: StreamReader, lack: Lack): void => {
      if (reading.has(reader)) return
      if (late.size >= maxLate && !late.has(reader)) reader.end('behind')
      else late.set(reader, lack)
      readPages()
    },
    remove: (reader: StreamReader): void => void late.delete(reader),
  }
}
