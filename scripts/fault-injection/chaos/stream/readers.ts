import { connect, type Socket } from 'node:net'

// Readers of GET /v1/stream in a process of their own. They share two cores with the service, so they do little: they
// check that the positions of the events have no gap and no repetition, and count the time since each decision.

export type Order =
  | { order: 'open'; port: number; host: string; readers: number; perAddress: number }
  | { order: 'report' }

export type Report = {
  connected: number
  events: number
  /** How many readers did not get an event, by its position. */
  missing: Record<number, number>
  repeats: number
  reconnects: number
  refused: Record<string, number>
  /** The lowest last position of all readers. */
  slowest: number
  /** By the second of the decision: how many events were read after how many steps of `stepMs`. */
  delays: Record<number, number[]>
}

export const stepMs = 20
const steps = 600

type Reader = { position: number; cursor: string; rest: string; isOpen: boolean }

const total = { events: 0, repeats: 0, reconnects: 0 }
const missing: Record<number, number> = {}
const refused: Record<string, number> = {}
const readers: Reader[] = []
const delays = new Map<number, number[]>()
/** Decision times by position; 0 for events without one. Each is parsed once. */
const decisions = new Map<number, number>()

process.on('message', (order: Order) => {
  if (order.order === 'report') process.send?.(report())
  else openAll(order)
})

function openAll({ readers: count, perAddress, ...place }: Extract<Order, { order: 'open' }>): void {
  for (let number = 0; number < count; number++) {
    const group = Math.floor(number / perAddress)
    const address = `127.0.${1 + Math.floor(group / 200)}.${1 + (group % 200)}`
    const reader = { position: 0, cursor: '', rest: '', isOpen: false }
    readers.push(reader)
    // Spread over some seconds, as readers arrive.
    setTimeout(open, number * 3, reader, { ...place, address })
  }
}

function open(reader: Reader, place: { port: number; host: string; address: string }): void {
  const socket: Socket = connect({ port: place.port, host: '127.0.0.1', localAddress: place.address })
  socket.setEncoding('latin1')
  socket.setNoDelay(true)
  reader.rest = ''
  let isHeader = true
  socket.once('connect', () => {
    const resume = reader.cursor ? `Last-Event-ID: ${reader.cursor}\r\n` : ''
    // HTTP/1.0 has no chunks, which would have to be taken apart.
    socket.write(`GET /v1/stream?kind=all HTTP/1.0\r\nHost: ${place.host}\r\n${resume}\r\n`)
  })
  socket.on('data', (data: unknown) => {
    reader.rest += data as string
    if (isHeader) {
      const end = reader.rest.indexOf('\r\n\r\n')
      if (end < 0) return
      const status = reader.rest.slice(9, 12)
      isHeader = false
      reader.isOpen = status === '200'
      if (!reader.isOpen) {
        refused[status] = (refused[status] ?? 0) + 1
        socket.destroy()
        return
      }
      reader.rest = reader.rest.slice(end + 4)
    }
    take(reader)
  })
  socket.on('error', () => {})
  socket.once('close', () => {
    if (reader.isOpen) total.reconnects += 1
    reader.isOpen = false
    setTimeout(open, 500 + Math.random() * 1_500, reader, place)
  })
}

function take(reader: Reader): void {
  const text = reader.rest
  let start = 0
  for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n', start)) {
    if (text.startsWith('id: ', start)) takeEvent(reader, text, start, end)
    else {
      const id = text.indexOf('\nid: ', start)
      if (id >= 0 && id < end) takeCursor(reader, text.slice(id + 5, end))
    }
    start = end + 2
  }
  reader.rest = text.slice(start)
}

/** A comment with an id: where the reader is, without an event. */
function takeCursor(reader: Reader, cursor: string): void {
  const position = positionOf(cursor)
  if (reader.cursor !== '') miss(reader.position, position + 1)
  reader.cursor = cursor
  reader.position = position
}

function miss(after: number, before: number): void {
  for (let position = after + 1; position < before; position++) missing[position] = (missing[position] ?? 0) + 1
}

const positionOf = (cursor: string) => Number.parseInt(cursor.slice(0, cursor.indexOf('-')), 36)

function takeEvent(reader: Reader, text: string, start: number, end: number): void {
  const cursor = text.slice(start + 4, text.indexOf('\n', start))
  const position = positionOf(cursor)
  if (position <= reader.position) total.repeats += 1
  else miss(reader.position, position)
  reader.position = position
  reader.cursor = cursor
  total.events += 1
  let decidedAt = decisions.get(position)
  if (decidedAt === undefined) {
    const time = /"published_at":"([^"]+)"/.exec(text.slice(start, end))
    decidedAt = time ? Date.parse(String(time[1])) : 0
    decisions.set(position, decidedAt)
  }
  if (decidedAt > 0) countDelay(decidedAt)
}

function countDelay(decidedAt: number): void {
  const second = Math.floor(decidedAt / 1_000)
  let counts = delays.get(second)
  if (!counts) {
    counts = new Array(steps).fill(0)
    delays.set(second, counts)
  }
  const step = Math.min(Math.max(Math.floor((Date.now() - decidedAt) / stepMs), 0), steps - 1)
  counts[step] = (counts[step] ?? 0) + 1
}

const report = (): Report => ({
  ...total,
  missing,
  refused,
  connected: readers.filter(({ isOpen }) => isOpen).length,
  slowest: readers.reduce((least, { position }) => Math.min(least, position), Number.MAX_SAFE_INTEGER),
  delays: Object.fromEntries(delays),
})
