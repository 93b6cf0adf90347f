import { connect, type Socket } from 'node:net'

export type Answered = { status: number; milliseconds: number }

/**
 * One connection that sends one request at a time, with as little work as it takes: the load shares its cores with what
 * it measures. Reads the status and the length of an answer, and nothing else.
 */
export function rawClient(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let waiting: { resolve: (answer: Answered) => void; sentAt: number } | undefined
  let held: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const status = wholeAnswer(held)
    if (status === undefined || !waiting) return
    held = Buffer.alloc(0)
    const { resolve, sentAt } = waiting
    waiting = undefined
    resolve({ status, milliseconds: performance.now() - sentAt })
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
  return bytes.length >= end + 4 + length ? Number(head.slice(9, 12)) : undefined
}

const closed = (socket: Socket) => void socket.destroy()

type Target = { host: string; apiKey: string; key: string; body: string }

export function submission({ host, apiKey, key, body }: Target): string {
  return (
    `POST /v1/posts HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${apiKey}\r\nIdempotency-Key: ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}
