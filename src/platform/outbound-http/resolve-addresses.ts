import { Resolver } from 'node:dns/promises'
import type { Destination } from './destination.ts'
import { OutboundError } from './outbound-error.ts'
import type { AddressRules } from './public-addresses.ts'

export type AddressLookup = {
  /** Returns the addresses of a name, IPv4 first. Throws an `OutboundError` if none arrives in time. */
  lookUp(host: string): Promise<string[]>
  close(): void
}

/**
 * Queries the name servers directly. The system lookup would block one of four threads while a slow name server
 * responds, and would trust a hosts file.
 */
export function openAddressLookup(servers?: readonly string[]): AddressLookup {
  const resolver = new Resolver({ timeout: tryMs, maxTimeout: tryMs, tries: 2 })
  if (servers?.length) resolver.setServers(servers)
  return {
    async lookUp(host) {
      // The dot marks the name as complete, so that no search domain is appended.
      const addresses = await gather([resolver.resolve4(`${host}.`), resolver.resolve6(`${host}.`)])
      if (addresses.length === 0) throw new OutboundError('name_not_resolved')
      return addresses
    },
    close: () => resolver.cancel(),
  }
}

const tryMs = 2_000
/** The limit for both attempts of both families, however many name servers the machine has. */
const lookUpMs = 5_000
/** The time left for the second family after the first response: some name servers never respond for one family. */
const secondFamilyMs = 1_000

/** The responses that arrived in time. Later responses are harmless, because only these addresses are connected to. */
function gather(queries: readonly Promise<string[]>[]): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<string[]>()
  const answers: string[][] = queries.map(() => [])
  const finish = () => {
    clearTimeout(timer)
    resolve(answers.flat())
  }
  let timer = setTimeout(finish, lookUpMs)
  let unanswered = queries.length
  const settle = () => {
    unanswered -= 1
    if (unanswered === 0) finish()
  }
  for (const [index, query] of queries.entries()) {
    query.then((answer) => {
      answers[index] = answer
      clearTimeout(timer)
      timer = setTimeout(finish, secondFamilyMs)
      settle()
    }, settle)
  }
  return promise
}

/** More than any legitimate name has: hundreds of addresses would make each check costly. */
const maxAddresses = 32

/**
 * The addresses of a destination if all are public; a single non-public address rejects all. Throws only
 * `OutboundError`.
 */
export async function findPublicAddresses(
  destination: Destination,
  { names, rules }: { names: AddressLookup; rules: AddressRules },
): Promise<string[]> {
  const addresses = destination.isLiteral ? [destination.host] : await names.lookUp(destination.host)
  const isRefused = addresses.length > maxAddresses || addresses.some((address) => rules.findReserved(address) !== null)
  if (isRefused) throw new OutboundError('address_refused')
  return addresses
}
