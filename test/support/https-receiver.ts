import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { createServer as createTcpServer, type Socket } from 'node:net'

/** What `testRanges` must hold for the addresses below to be called. */
export const receiverRange = '127.77.0.0/16'

/** An address of this machine that hardly any other test uses at the same time: all receivers need port 443. */
export const pickReceiverAddress = () => `127.77.${randomInt(1, 255)}.${randomInt(1, 255)}`
/** The same outside the range: what listens there must never be called. */
export const pickPrivateAddress = () => `127.66.${randomInt(1, 255)}.${randomInt(1, 255)}`

/** A receiver with a certificate on port 443. */
export async function startReceiver(
  { address, key, cert }: { address: string; key: string; cert: string },
  listener: RequestListener,
) {
  const requests: IncomingMessage[] = []
  const server = createServer({ key, cert }, (request, response) => {
    requests.push(request)
    listener(request, response)
  })
  return { requests, server, ...(await listen(server, address)) }
}

/** Something that listens on port 443 without TLS, and counts. */
export async function startListener(address: string, onConnection: (socket: Socket) => void = () => {}) {
  return listen(createTcpServer(onConnection), address)
}

async function listen(server: ReturnType<typeof createTcpServer>, address: string) {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', () => {})
  server.listen(443, address)
  await once(server, 'listening')
  return {
    address,
    /** How many were opened since the start. */
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
