import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy on its own loopback port, which forwards everything and can delay it in both directions. */
export async function startDelayingProxy(target: { host: string; port: number } | { path: string }) {
  const sockets = new Set<Socket>()
  let delayMs = 0
  const server = createServer((client) => {
    const upstream = connect(target as { port: number })
    join(client, upstream)
    join(upstream, client)
  })
  /** Data arrives in order, because equal delays end in order and a shorter one waits for those before it. */
  function join(from: Socket, to: Socket): void {
    sockets.add(from)
    let before = Promise.resolve()
    const later = (work: () => void) => {
      const delay = delayMs
      const waited = delay === 0 ? undefined : new Promise<void>((resolve) => void setTimeout(resolve, delay))
      before = before.then(() => waited).then(work)
    }
    from.setNoDelay?.(true)
    from.on('data', (chunk) => later(() => void to.write(chunk)))
    from.on('end', () => later(() => void to.end()))
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      later(() => void to.destroy())
    })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** Delays what is sent from now on. */
    setDelay: (milliseconds: number) => {
      delayMs = milliseconds
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
