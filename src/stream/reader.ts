import type { Writable } from 'node:stream'

/** Where the bytes go: the response to GET /v1/stream. */
export type StreamSink = Pick<Writable, 'write' | 'end' | 'destroy' | 'on' | 'once'>

/** Why a stream ended, other than by its reader. */
export type EndReason = 'slow' | 'behind' | 'rewound' | 'key' | 'replaced' | 'stopping'

/** What a reader gets in one write, about. */
export const partBytes = 64 * 1024
/** A connection takes as much at a time, so that one that is slow and still reading is told from one that is dead. */
const stepBytes = 16 * 1024
const nothing = Buffer.alloc(0)

/** One open stream. It holds one position and at most what was last written, however slow its connection is. */
export type StreamReader = {
  /** The last entry that was written or skipped. */
  position: number
  /** Since when the connection takes nothing; null if nothing waits for it. */
  blockedSince: number | null
  isClosed: boolean
  write: (bytes: Buffer) => void
  end: (reason: EndReason) => void
}

type Options = {
  sink: StreamSink
  position: number
  onDrain: (reader: StreamReader) => void
  onClose: (reader: StreamReader) => void
  onEnd: (reason: EndReason) => void
}

export function openReader({ sink, position, onDrain, onClose, onEnd }: Options): StreamReader {
  let rest: Buffer = nothing
  let isStepping = false
  const reader: StreamReader = {
    position,
    blockedSince: null,
    isClosed: false,
    write: (bytes) => {
      if (reader.isClosed || bytes.length === 0) return
      rest = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
      if (!isStepping) step()
    },
    end: (reason) => {
      if (reader.isClosed) return
      onEnd(reason)
      // What waits for a slow reader would keep the connection open.
      if (reader.blockedSince === null) sink.end()
      else sink.destroy()
      close()
    },
  }
  function step(): void {
    const part = rest.subarray(0, stepBytes)
    rest = rest.subarray(part.length)
    isStepping = rest.length > 0
    reader.blockedSince = performance.now()
    if (isStepping) sink.write(part, stepOn)
    else if (sink.write(part)) reader.blockedSince = null
  }
  function stepOn(error?: Error | null): void {
    if (error || reader.isClosed) return
    step()
    if (reader.blockedSince === null) onDrain(reader)
  }
  const close = () => {
    if (reader.isClosed) return
    reader.isClosed = true
    rest = nothing
    onClose(reader)
  }
  sink.on('drain', () => {
    if (isStepping) return
    reader.blockedSince = null
    if (!reader.isClosed) onDrain(reader)
  })
  sink.once('close', close)
  sink.on('error', close)
  return reader
}
