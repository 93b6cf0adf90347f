import { BroadsideError } from './errors.ts'

/** `id` is the last id that the stream has named, here or in an event before. */
export type SseEvent = { id: string; type: string; data: string }

const maxEventLength = 4_000_000

/** Reads `text/event-stream` as the HTML standard describes it, from text in pieces of any size. */
export class SseParser {
  /** The last id, and how long the server asks to wait before a reconnection. */
  lastId = ''
  retryMs: number | undefined
  #rest = ''
  #endedWithReturn = false
  #isFirst = true
  #id: string | undefined
  #type = ''
  #data: string[] = []
  #length = 0

  /** The events that this piece completes. */
  push(piece: string): SseEvent[] {
    let text = piece
    if (text === '') return []
    if (this.#isFirst) text = text.replace(/^\uFEFF/, '')
    this.#isFirst = false
    // The line feed of a CRLF that was cut in two.
    if (this.#endedWithReturn && text.startsWith('\n')) text = text.slice(1)
    this.#endedWithReturn = piece.endsWith('\r')
    const lines = text.split(/\r\n|\n|\r/)
    lines[0] = this.#rest + lines[0]
    this.#rest = lines.pop() ?? ''
    this.#length += text.length
    if (this.#length > maxEventLength) throw new BroadsideError('The stream sent an event that is too long.')
    return lines.flatMap((line) => (line === '' ? this.#dispatch() : this.#take(line)))
  }

  #take(line: string): SseEvent[] {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#type = value
    else if (field === 'id' && !value.includes('\0')) this.#id = value
    else if (field === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value)
    return []
  }

  #dispatch(): SseEvent[] {
    this.lastId = this.#id ?? this.lastId
    const event = { id: this.lastId, type: this.#type || 'message', data: this.#data.join('\n') }
    const isEmpty = this.#data.length === 0
    this.#type = ''
    this.#data = []
    this.#length = 0
    return isEmpty ? [] : [event]
  }
}
