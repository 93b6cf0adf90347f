import { BlockList, isIP } from 'node:net'
import { globalIpv6, reservedIpv4, reservedIpv6 } from './reserved-ranges.ts'

export type AddressRules = {
  /** The name of the range that forbids connecting to this address; null if the address is public. */
  findReserved(address: string): string | null
}

/** Every address outside the reserved ranges is public. The options add exceptions. */
export function decideAddresses(options: {
  testRanges?: readonly string[] | undefined
  refusedRanges?: readonly string[] | undefined
}): AddressRules {
  const tests = (options.testRanges ?? []).map(readRange)
  const refused = (options.refusedRanges ?? []).map(readRange)
  return {
    findReserved(address) {
      const family = isIP(address)
      if (family === 0) return 'not an address'
      const holds = (range: Range) => range.family === family && range.list.check(address, typeOf(family))
      if (refused.some(holds)) return 'refused by the operator'
      if (tests.some(holds)) return null
      const reserved = (family === 4 ? ipv4 : ipv6).find(holds)
      if (reserved) return reserved.name
      if (family === 4) return null
      return isIsatap(address) ? 'ISATAP' : holds(global) ? null : 'not global'
    },
  }
}

type Range = { family: number; list: BlockList }

/**
 * One list for each range. A list with `::ffff:0:0/96` would match every IPv4 address, and a list with an IPv4 range
 * would match IPv6 addresses that embed it; so a range is checked only against addresses of the same family.
 */
function readRange(range: string): Range {
  const [address = '', bits] = range.split('/')
  const family = isIP(address)
  const list = new BlockList()
  // A single address is a range with one address.
  list.addSubnet(address, Number(bits ?? (family === 4 ? 32 : 128)), typeOf(family))
  return { family, list }
}

const typeOf = (family: number) => (family === 4 ? 'ipv4' : 'ipv6')

const ipv4 = reservedIpv4.map(({ range, name }) => ({ ...readRange(range), name }))
const ipv6 = reservedIpv6.map(({ range, name }) => ({ ...readRange(range), name }))
const global = readRange(globalIpv6)

/**
 * ISATAP embeds an IPv4 address under any prefix, marked in the interface identifier: `…:0:5efe:a.b.c.d` or
 * `…:200:5efe:…`.
 */
function isIsatap(address: string): boolean {
  const [, , , , before, mark] = hextets(address)
  return mark === 0x5efe && (before === 0 || before === 0x200)
}

function hextets(address: string): number[] {
  const [head = '', tail] = canonical(address).split('::')
  const groups = (part: string | undefined) => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : [])
  const [left, right] = [groups(head), groups(tail)]
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

/** The canonical form of an address: IPv6 is compressed, in lower case, and never ends in dotted decimals. */
export function canonical(address: string): string {
  return isIP(address) === 6 ? new URL(`https://[${address}]`).hostname.slice(1, -1) : address
}
