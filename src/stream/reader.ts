import type { Writable } from 'node:stream'

/** Where the bytes go: the response to GET /v1/stream. */
export type StreamSink = Pick<Writable, 'write' | 'end' | 'destroy' | 'on' | 'once'>

/** Why a stream ended, other than by its reader. */
export type EndReason = 'slow' | 'behind' | 'rewound' | 'key' | 'replaced' | 'stopping'

/** One open stream. It holds one position and at most what was last written, however slow its connection is. */
export type StreamReader = {
  /** The last entry that was written or skipped. */
  position: number
  /** Since when the connection takes nothing; null while it does. */
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
  const reader: StreamReader = {
    position,
    blockedSince: null,
    isClosed: false,
    write: (bytes) => {
      if (reader.isClosed || bytes.length === 0) return
      if (!sink.write(bytes)) reader.blockedSince ??= performance.now()
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
  const close = () => {
    if (reader.isClosed) return
    reader.isClosed = true
    onClose(reader)
  }
  sink.on('drain', () => {
    reader.blockedSince = null
    if (!reader.isClosed) onDrain(reader)
  })
  sink.once('close', close)
  sink.on('error', close)
  return reader
}
