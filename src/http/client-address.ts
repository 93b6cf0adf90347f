import { isIPv6, SocketAddress } from 'node:net'

/**
 * The address to count a client by, as the gateway saw it. IPv6 is counted by its /64: that is what one customer of a
 * provider is given, so counting single addresses would count nothing.
 */
export function clientAddress(forwarded: string | string[] | undefined, socketAddress: string | undefined): string {
  const given = typeof forwarded === 'string' && isAddress(forwarded) ? forwarded : (socketAddress ?? 'unknown')
  const address = given.startsWith('::ffff:') && given.includes('.') ? given.slice(7) : given
  if (!isIPv6(address)) return address
  return `${expand(address).slice(0, 4).join(':')}::/64`
}

const isAddress = (text: string) => SocketAddress.parse(text.includes(':') ? `[${text}]` : text) !== undefined

/** The eight groups of an IPv6 address. */
function expand(address: string): string[] {
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? []
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : new Array<string>(8 - left.length - right.length).fill('0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16).toString(16))
}
