import { createHash, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP, isIPv6 } from 'node:net'

type Received = { headers: IncomingHttpHeaders; socket: { remoteAddress?: string | undefined } }

/**
 * The address to count a client by: as the gateway saw it, or of the connection where the gateway did not ask. IPv6 is
 * counted by its /64: that is what one customer of a provider is given, so counting single addresses would count nothing.
 */
export function clientAddress({ headers, socket }: Received, isFromGateway: boolean): string {
  const forwarded = isFromGateway ? headers['x-forwarded-for'] : undefined
  const given = typeof forwarded === 'string' && isIP(forwarded) ? forwarded : (socket.remoteAddress ?? 'unknown')
  if (!isIPv6(given)) return given
  const groups = groupsOf(given)
  const isMappedIPv4 = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  return isMappedIPv4 ? groups.slice(6).flatMap(bytesOf).join('.') : `${groups.slice(0, 4).join(':')}::/64`
}

/** The eight groups of an IPv6 address. It has many spellings, and the URL parser writes all of them alike. */
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

/** Tells requests that came through the gateway from those around it. What it compares takes the same time, right or wrong. */
export function gatewayRecogniser(secrets: readonly KeyObject[]): (headers: IncomingHttpHeaders) => boolean {
  const known = secrets.map((secret) => digest(secret.export()))
  return ({ 'x-gateway-secret': given }) => {
    if (typeof given !== 'string') return false
    const presented = digest(given)
    return known.map((one) => timingSafeEqual(one, presented)).includes(true)
  }
}

const digest = (secret: string | Buffer) => createHash('sha256').update(secret).digest()
