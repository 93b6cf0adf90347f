import type { Destination } from './destination.ts'
import type { Names } from './look-up.ts'
import { OutboundFault } from './outbound-fault.ts'
import type { AddressRules } from './public-addresses.ts'

/** More than any honest name has: an answer of hundreds would make each check costly. */
const maxAddresses = 32

/** The addresses of a destination, all of them public: one that is not condemns the rest. Throws only `OutboundFault`. */
export async function findPublicAddresses(
  destination: Destination,
  { names, rules }: { names: Names; rules: AddressRules },
): Promise<string[]> {
  const addresses = destination.isLiteral ? [destination.host] : await names.lookUp(destination.host)
  const isRefused = addresses.length > maxAddresses || addresses.some((address) => rules.findReserved(address) !== null)
  if (isRefused) throw new OutboundFault('address_refused')
  return addresses
}
