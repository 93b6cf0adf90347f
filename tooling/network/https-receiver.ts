import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { createServer as createTcpServer, isIP, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The address range that `testRanges` must include so that the addresses below can be called. */
export const receiverRange = '127.77.0.0/16'

/** An address of this machine that other tests rarely use at the same time: all receivers need port 443. */
export const pickReceiverAddress = () => `127.77.${randomInt(1, 255)}.${randomInt(1, 255)}`
/** An address outside the range. A listener there must never be called. */
export const pickPrivateAddress = () => `127.66.${randomInt(1, 255)}.${randomInt(1, 255)}`

/** A receiver on port 443 with a certificate. */
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

/** A listener on port 443 without TLS that counts connections. */
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
    /** The number of connections since the start. */
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A new certificate authority, and a certificate from it for these names and addresses. */
export function makeCertificates(hosts: readonly string[]): { ca: string; key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-certificates-'))
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  try {
    const names = hosts.map((host) => `${isIP(host) ? 'IP' : 'DNS'}:${host}`)
    writeFileSync(join(folder, 'names'), `subjectAltName=${names.join(',')}\nbasicConstraints=CA:FALSE\n`)
    openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=An authority for a test')
    openssl('req', ...newKey, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=A receiver of a test')
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names']
    openssl('x509', '-req', '-in', 'request.pem', ...signed, '-out', 'cert.pem')
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    return { ca: read('ca.pem'), key: read('key.pem'), cert: read('cert.pem') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
