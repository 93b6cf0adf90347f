import { isIP } from 'node:net'
import {
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { OutboundError } from './outbound-error.ts'
import { canonical } from './public-addresses.ts'

export type PinnedTarget = {
  /** The name for certificate checks; null if the URL has an IP address. */
  serverName: string | null
  trust: SecureContext
  /** The session of the last handshake, which shortens the next one. */
  session: Buffer | undefined
  mayConnect: () => boolean | Promise<boolean>
}

/** The trusted authorities for receivers. Created once, because reading all authorities takes 20 ms. */
export function decideTrust(certificateAuthorities?: string): SecureContext {
  return createSecureContext({
    minVersion: 'TLSv1.2',
    ...(certificateAuthorities && { ca: [...getCACertificates('default'), certificateAuthorities] }),
  })
}

/** Connects only to one of the checked addresses, without resolving a name. Throws only an `OutboundError`. */
export async function connectPinned(
  addresses: readonly string[],
  target: PinnedTarget,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const candidates = chooseTwo(addresses)
  for (const [index, address] of candidates.entries()) {
    if (signal.aborted) throw new OutboundError('withdrawn')
    const isLast = index === candidates.length - 1
    const permission = askPermission(target)
    // Awaited only if necessary: a synchronous permission cannot be revoked before the socket opens.
    const isAllowed = typeof permission === 'boolean' ? permission : await permission
    if (!isAllowed || signal.aborted) throw new OutboundError('withdrawn')
    try {
      return await openSocket(address, target, { signal, connectMs: isLast ? null : firstAddressMs })
    } catch (fault) {
      if (isLast || (fault as OutboundError).kind !== 'connection_failed') throw fault
    }
  }
  throw new OutboundError('connection_failed')
}

/** How long to wait for the first address before trying the second. */
const firstAddressMs = 4_000

/**
 * One address of each family if both exist: a network without IPv6 is more common than a receiver with an unreachable
 * address.
 */
function chooseTwo(addresses: readonly string[]): readonly string[] {
  const first = addresses[0] ?? ''
  const second = addresses.find((address) => isIP(address) !== isIP(first)) ?? addresses[1]
  return second === undefined ? [first] : [first, second]
}

/** A failed permission check says nothing about the endpoint, so the post counts as failed and not as withdrawn. */
function askPermission({ mayConnect }: PinnedTarget): boolean | Promise<boolean> {
  const refuse = () => {
    throw new OutboundError('connection_failed', 'PERMISSION_UNKNOWN')
  }
  try {
    const answer = mayConnect()
    return typeof answer === 'boolean' ? answer : answer.catch(refuse)
  } catch {
    return refuse()
  }
}

function openSocket(
  address: string,
  target: PinnedTarget,
  { signal, connectMs }: { signal: AbortSignal; connectMs: number | null },
): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
  let isConnected = false
  const socket = connectTls({
    host: address,
    port: 443,
    // An IP address is not a server name; the certificate is then checked against `host`.
    servername: target.serverName ?? '',
    secureContext: target.trust,
    ALPNProtocols: ['http/1.1'],
    // Explicit, because an environment variable can turn the default off.
    rejectUnauthorized: true,
    ...(target.session && { session: target.session }),
  })
  const deaf =
    connectMs === null ? undefined : setTimeout(() => socket.destroy(new OutboundError('connection_failed')), connectMs)
  const giveUp = () => socket.destroy(new OutboundError('withdrawn'))
  const settle = () => {
    clearTimeout(deaf)
    signal.removeEventListener('abort', giveUp)
  }
  signal.addEventListener('abort', giveUp)
  socket.setNoDelay(true)
  socket.once('connect', () => {
    isConnected = true
    clearTimeout(deaf)
    if (canonical(socket.remoteAddress ?? '') !== canonical(address))
      socket.destroy(new OutboundError('address_refused'))
  })
  socket.on('session', (session) => {
    target.session = session
  })
  socket.once('secureConnect', () => {
    settle()
    resolve(socket)
  })
  // Stays for the lifetime of the socket: an error without a listener would end the process.
  socket.on('error', (error) => {
    settle()
    reject(faultOfHandshake(error, isConnected))
  })
  return promise
}

function faultOfHandshake(error: Error & { code?: unknown }, isConnected: boolean): OutboundError {
  if (error instanceof OutboundError) return error
  const code = typeof error.code === 'string' ? error.code : undefined
  if (!isConnected) return new OutboundError('connection_failed', code)
  return new OutboundError(code && networkCodes.has(code) ? 'connection_broken' : 'tls_failed', code)
}

const networkCodes = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH'])
