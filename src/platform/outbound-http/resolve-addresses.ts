import { Resolver } from 'node:dns/promises'
import type { Destination } from './destination.ts'
import { OutboundError } from './outbound-error.ts'
import type { AddressRules } from './public-addresses.ts'

export type AddressLookup = {
  /** The addresses of a name, IPv4 first; throws an `OutboundError` when there is none in time. */
  lookUp(host: string): Promise<string[]>
  close(): void
}

/**
 * Asks the name servers itself. The machine's own lookup would take a thread of four for as long as a slow name server
 * likes, and would believe a hosts file.
 */
export function openAddressLookup(servers?: readonly string[]): AddressLookup {
  const resolver = new Resolver({ timeout: tryMs, maxTimeout: tryMs, tries: 2 })
  if (servers?.length) resolver.setServers(servers)
  return {
    async lookUp(host) {
      // The dot says that the name is complete, so that no search domain is appended.
      const addresses = await gather([resolver.resolve4(`${host}.`), resolver.resolve6(`${host}.`)])
      if (addresses.length === 0) throw new OutboundError('name_not_resolved')
      return addresses
    },
    close: () => resolver.cancel(),
  }
}

const tryMs = 2_000
/** For both tries of both families, however many name servers the machine has. */
const lookUpMs = 5_000
/** What is left to the second family once the first has answered: some name servers never answer one of them. */
const secondFamilyMs = 1_000

/** What was answered in time. Only that will be connected to, so an answer that comes too late is no danger. */
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

/** More than any honest name has: an answer of hundreds would make each check costly. */
const maxAddresses = 32

/** The addresses of a destination, all of them public: one that is not condemns the rest. Throws only `OutboundError`. */
export async function findPublicAddresses(
  destination: Destination,
  { names, rules }: { names: AddressLookup; rules: AddressRules },
): Promise<string[]> {
  const addresses = destination.isLiteral ? [destination.host] : await names.lookUp(destination.host)
  const isRefused = addresses.length > maxAddresses || addresses.some((address) => rules.findReserved(address) !== null)
  if (isRefused) throw new OutboundError('address_refused')
  return addresses
}
