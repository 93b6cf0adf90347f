import { connect, type Socket } from 'node:net'

export type Answered = { status: number; milliseconds: number }

/**
 * One connection that sends one request at a time with minimal work, because the load generator shares its cores with
 * the system under test. It reads only the status and length of a response, unless `inspect` reads more.
 */
export function rawClient(port: number, inspect?: (answer: Buffer) => void) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let waiting: { resolve: (answer: Answered) => void; sentAt: number } | undefined
  let held: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const status = wholeAnswer(held)
    if (status === undefined || !waiting) return
    const { resolve, sentAt } = waiting
    const milliseconds = performance.now() - sentAt
    inspect?.(held)
    held = Buffer.alloc(0)
    waiting = undefined
    resolve({ status, milliseconds })
  })
  return {
    send: (request: string) =>
      new Promise<Answered>((resolve) => {
        waiting = { resolve, sentAt: performance.now() }
        socket.write(request)
      }),
    close: () => closed(socket),
  }
}

function wholeAnswer(bytes: Buffer): number | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  const isWhole = /\r\ntransfer-encoding: chunked/i.test(head)
    ? endsInLastChunk(bytes)
    : bytes.length >= end + 4 + length
  return isWhole ? Number(head.slice(9, 12)) : undefined
}

const lastChunk = Buffer.from('\r\n0\r\n\r\n')
const endsInLastChunk = (bytes: Buffer) => bytes.subarray(-lastChunk.length).equals(lastChunk)

/** The gateway closes a connection after a thousand requests. */
const requestsPerConnection = 900

/** Sends any number of requests, over successive connections. */
export function keptClient(port: number, inspect?: (answer: Buffer) => void) {
  let [client, sent] = [rawClient(port, inspect), 0]
  return {
    send: (request: string) => {
      if (++sent % requestsPerConnection === 0) {
        client.close()
        client = rawClient(port, inspect)
      }
      return client.send(request)
    },
    close: () => client.close(),
  }
}

const closed = (socket: Socket) => void socket.destroy()

type Target = { host: string; apiKey: string; key: string; body: string }

export function submission({ host, apiKey, key, body }: Target): string {
  return (
    `POST /v1/posts HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${apiKey}\r\nIdempotency-Key: ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}
