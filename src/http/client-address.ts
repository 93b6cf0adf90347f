import { createHash, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP, isIPv6 } from 'node:net'

type Received = { headers: IncomingHttpHeaders; socket: { remoteAddress?: string | undefined } }

/**
 * The address that limits are counted by: the one that the gateway forwarded, or the socket's address if the request
 * did not come from the gateway. IPv6 addresses are reduced to their /64, because a provider gives each customer a
 * whole /64.
 */
export function clientAddress({ headers, socket }: Received, isFromGateway: boolean): string {
  const forwarded = isFromGateway ? headers['x-forwarded-for'] : undefined
  const given = typeof forwarded === 'string' && isIP(forwarded) ? forwarded : (socket.remoteAddress ?? 'unknown')
  if (!isIPv6(given)) return given
  const groups = groupsOf(given)
  const isMappedIPv4 = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  return isMappedIPv4 ? groups.slice(6).flatMap(bytesOf).join('.') : `${groups.slice(0, 4).join(':')}::/64`
}

/** The eight groups of an IPv6 address. The URL parser normalises the different spellings of an address. */
function groupsOf(address: string): string[] {
  const { hostname } = new URL(`http://[${address.split('%', 1)[0]}]`)
  const [left = [], right] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  return right ? [...left, ...new Array<string>(8 - left.length - right.length).fill('0'), ...right] : left
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16)
  return [value >> 8, value & 0xff]
}

/** Recognises requests from the gateway by its secret, in constant time. */
export function gatewayRecogniser(secrets: readonly KeyObject[]): (headers: IncomingHttpHeaders) => boolean {
  const known = secrets.map((secret) => digest(secret.export()))
  return ({ 'x-gateway-secret': given }) => {
    if (typeof given !== 'string') return false
    const presented = digest(given)
    return known.map((one) => timingSafeEqual(one, presented)).includes(true)
  }
}

const digest = (secret: string | Buffer) => createHash('sha256').update(secret).digest()
