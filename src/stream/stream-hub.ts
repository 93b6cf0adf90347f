import { randomInt } from 'node:crypto'
import { Problem } from '../contract/problems/problem.ts'
import { streamLimits } from '../contract/stream-limits.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { observeAtScrape, openCounter } from '../platform/observability/instruments.ts'
import type { Logger } from '../platform/observability/logger.ts'
import { pause, startRepeating } from '../platform/repeat.ts'
import type { Sites } from '../posts/sites.ts'
import type { StreamFilter } from './filter.ts'
import { type OwnSource, openOwnStream } from './own-stream.ts'
import { openPublicStream } from './public-stream.ts'
import { openReader, type StreamReader, type StreamSink } from './reader.ts'

/** Where a stream starts, as the operation found it. `cursor` is sent first, so that a reader without events can resume. */
export type StreamStart = { position: number; cursor: string | null } & (
  | { scope: 'public'; filter: StreamFilter }
  | { scope: 'mine'; source: OwnSource }
)

type Options = { db: Database; clock: Clock; sites: Sites; logger: Logger; timing?: StreamTiming | undefined }

/** How often the logs are read and readers are looked after; shorter in tests. */
export type StreamTiming = { lookMs: number; ownLookMs: number; careMs: number; blockedMs: number }

const usualTiming: StreamTiming = {
  lookMs: 200,
  ownLookMs: 500,
  careMs: streamLimits.heartbeatSeconds * 1_000,
  blockedMs: streamLimits.blockedSeconds * 1_000,
}

export type StreamHub = ReturnType<typeof openStreamHub>

/** All open streams of a process. Without readers it asks the database nothing. */
export function openStreamHub({ db, clock, sites, logger, timing = usualTiming }: Options) {
  const sent = openCounter('stream.events')
  const ended = openCounter('stream.disconnects')
  const readers = new Map<StreamReader, StreamStart['scope']>()
  let isClosed = false
  const onSent = (events: number) => sent.add(events)
  const publicStream = openPublicStream({ db, clock, sites, logger, onSent })
  const ownStream = openOwnStream({ db, onSent })
  const care = async () => {
    for (const [reader, scope] of [...readers]) {
      if (reader.blockedSince === null)
        reader.write(Buffer.from(scope === 'public' ? publicStream.heartbeatOf(reader) : ':\n\n'))
      else if (performance.now() - reader.blockedSince > timing.blockedMs) reader.end('slow')
    }
    await ownStream.checkKeys()
  }
  const loops = [
    startLooking(logger, timing.lookMs, publicStream.look),
    startLooking(logger, timing.ownLookMs, ownStream.look),
    startLooking(logger, timing.careMs, care),
  ]
  const observing = observeAtScrape(['stream.readers'], (observe) => {
    for (const scope of ['public', 'mine'] as const)
      observe('stream.readers', [...readers.values()].filter((one) => one === scope).length, { scope })
  })

  const remove = (reader: StreamReader) => {
    readers.delete(reader)
    publicStream.remove(reader)
    ownStream.remove(reader)
  }
  return {
    /** Throws unavailable if the process has as many streams as it can hold. */
    assertRoom: (): void => {
      if (readers.size < streamLimits.perProcess) return
      throw new Problem('unavailable', 'Too many streams are open. Retry in some seconds.', {
        headers: { 'retry-after': String(randomInt(1, 6)) },
      })
    },
    /** A stream that opens while the process stops ends at once. */
    open: (start: StreamStart, sink: StreamSink): void => {
      if (isClosed) {
        ended.add(1, { reason: 'stopping' })
        sink.end()
        return
      }
      const reader = openReader({
        sink,
        position: start.position,
        onDrain: (one) => start.scope === 'public' && publicStream.resume(one),
        onClose: remove,
        onEnd: (reason) => ended.add(1, { reason }),
      })
      readers.set(reader, start.scope)
      reader.write(Buffer.from(greeting(start.cursor)))
      if (start.scope === 'public') {
        publicStream.add(reader, start.filter)
        return
      }
      const own = ownStream.readersOf(start.source.accountId)
      for (const oldest of own.slice(0, Math.max(own.length + 1 - streamLimits.perAccount, 0))) oldest.end('replaced')
      ownStream.add(reader, start.source)
    },
    size: () => readers.size,
    ringBytes: publicStream.ringBytes,
    /** Ends every stream at once. Their readers resume at another process. */
    close: async (): Promise<void> => {
      isClosed = true
      for (const reader of [...readers.keys()]) reader.end('stopping')
      observing[Symbol.dispose]()
      await Promise.all(loops.map((stop) => stop()))
    },
  }
}

/** Looks again and again. Returns what stops it. */
function startLooking(logger: Logger, everyMs: number, look: () => Promise<unknown>) {
  let isFailing = false
  const stop = new AbortController()
  const work = async () => {
    const isMore = await look()
    isFailing = false
    return isMore
  }
  const onError = async (error: unknown) => {
    if (!isFailing) logger.warn({ error }, 'the log of the stream cannot be read')
    isFailing = true
    await pause(1_000, stop.signal)
  }
  const loop = startRepeating({ everyMs, work, onError })
  return async () => {
    stop.abort()
    await loop[Symbol.asyncDispose]()
  }
}

/** The comment makes proxies send the headers. Readers wait for different times, so that they do not return at once. */
function greeting(cursor: string | null): string {
  const retry = randomInt(streamLimits.retryMs.from, streamLimits.retryMs.to)
  return `retry: ${retry}\n: connected\n${cursor ? `id: ${cursor}\n` : ''}\n`
}
