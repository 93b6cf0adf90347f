import { type FileHandle, open, stat } from 'node:fs/promises'
import { startRepeating } from '../repeat.ts'
import { openHistogram } from './instruments.ts'

type Options = { everyMs?: number; onError: (error: unknown) => void }

/**
 * Counts the requests in the gateway's access log, from now on. The log may be truncated, replaced or missing at any
 * time. The gateway itself does nothing for it but append to the file.
 */
export function observeAccessLog(path: string, { everyMs = 1_000, onError }: Options) {
  const record = requestRecorder()
  const reader = new LineReader(path)
  let fault: string | null = 'the access log was not read yet'
  const reading = startRepeating({
    everyMs,
    work: async () => {
      await reader.read(record)
      fault = null
    },
    onError: (error) => {
      if (fault === null) onError(error)
      fault = 'the access log cannot be read'
    },
  })
  return {
    notReadyBecause: async () => fault,
    [Symbol.asyncDispose]: async () => {
      await reading[Symbol.asyncDispose]()
      await reader.close()
    },
  }
}

/** A line that is longer than this is not one of ours. */
const maxLineBytes = 16_384
const chunkBytes = 262_144

/** Reads what was appended to a file since the last call. The first call skips what is there. */
class LineReader {
  readonly #path: string
  readonly #buffer = Buffer.alloc(chunkBytes)
  #handle: FileHandle | undefined
  #position = 0
  #rest = ''
  #isFirst = true

  constructor(path: string) {
    this.#path = path
  }

  async read(onLine: (line: string) => void): Promise<void> {
    if (this.#handle) await this.#readOn(this.#handle, onLine)
    const named = await stat(this.#path)
    const opened = await this.#handle?.stat()
    if (opened?.ino === named.ino && opened.dev === named.dev) return
    await this.close()
    this.#handle = await open(this.#path, 'r')
    this.#position = this.#isFirst ? named.size : 0
    this.#isFirst = false
    await this.#readOn(this.#handle, onLine)
  }

  async #readOn(handle: FileHandle, onLine: (line: string) => void): Promise<void> {
    if ((await handle.stat()).size < this.#position) {
      this.#position = 0
      this.#rest = ''
    }
    while (true) {
      const { bytesRead } = await handle.read(this.#buffer, 0, chunkBytes, this.#position)
      if (bytesRead === 0) return
      this.#position += bytesRead
      const lines = (this.#rest + this.#buffer.toString('latin1', 0, bytesRead)).split('\n')
      const last = lines.pop() ?? ''
      this.#rest = last.length > maxLineBytes ? '' : last
      for (const line of lines) onLine(line)
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close()
    this.#handle = undefined
    this.#rest = ''
  }
}

type Request = Record<'method' | 'route' | 'status' | 'scheme' | 'server', string> & { seconds: number }

function requestRecorder(): (line: string) => void {
  const duration = openHistogram('http.server.request.duration')
  return (line) => {
    const request = parseLine(line)
    if (!request) return
    duration.record(request.seconds, {
      'http.request.method': request.method,
      'http.route': request.route,
      'http.response.status_code': request.status,
      'url.scheme': request.scheme,
      'server.address': request.server,
      ...(Number(request.status) >= 500 && { 'error.type': request.status }),
    })
  }
}

/** The format is in deploy/nginx/access-log.part.template. A line that was cut off by a truncation is skipped. */
function parseLine(line: string): Request | null {
  try {
    const request = JSON.parse(line)
    return typeof request.seconds === 'number' && typeof request.status === 'string' ? request : null
  } catch {
    return null
  }
}
