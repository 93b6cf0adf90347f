import { type Channel, PinnedChannel } from './channel.ts'
import { connectPinned, decideTrust, type PinnedTarget } from './connect-pinned.ts'
import { type Destination, readDestination } from './destination.ts'
import { OutboundError, type OutboundErrorKind } from './outbound-error.ts'
import { decideAddresses } from './public-addresses.ts'
import { findPublicAddresses, openAddressLookup } from './resolve-addresses.ts'

export type { Channel } from './channel.ts'
export { OutboundError, type OutboundErrorKind } from './outbound-error.ts'

export type OutboundOptions = {
  /** CIDR ranges that count as public though they are not: for tests, refused by settings in production. */
  testRanges?: readonly string[]
  /** CIDR ranges that are never connected to, beside the reserved ones: the operator's own public addresses. */
  refusedRanges?: readonly string[]
  /** `127.0.0.1:5353`: asked instead of the machine's name servers. */
  dnsServers?: readonly string[]
  /** PEM of authorities that are trusted beside the usual ones. */
  certificateAuthorities?: string
}

export type Outbound = {
  /** What is wrong with this address as a destination, said to its author; null when nothing is. Looks the name up. */
  findFault(url: string): Promise<string | null>
  /**
   * Connections to one destination. `mayConnect` is asked right before each new one is opened, after the name was looked
   * up; false ends the attempt with the fault `withdrawn`.
   */
  openChannel(url: string, options: ConnectionOptions): Channel
  /** Breaks off what is under way and releases everything. */
  close(): Promise<void>
}

type ConnectionOptions = { maxConnections: number; mayConnect: () => boolean | Promise<boolean> }

/**
 * The way to addresses that users chose. It connects to public addresses only, judged by the address that the socket
 * goes to; no setting of a proxy reaches it.
 */
export function openOutbound(options: OutboundOptions = {}): Outbound {
  const names = openAddressLookup(options.dnsServers)
  const rules = decideAddresses(options)
  const trust = decideTrust(options.certificateAuthorities)
  const channels = new Set<PinnedChannel>()

  function openPinned(destination: Destination, { maxConnections, mayConnect }: ConnectionOptions): Channel {
    const serverName = destination.isLiteral ? null : destination.host
    const target: PinnedTarget = { serverName, trust, session: undefined, mayConnect }
    const channel = new PinnedChannel(destination, {
      maxConnections,
      connect: async (signal) =>
        connectPinned(await findPublicAddresses(destination, { names, rules }), target, signal),
    })
    channels.add(channel)
    return {
      post: (request) => channel.post(request),
      close: () => channel.close().finally(() => channels.delete(channel)),
    }
  }

  return {
    async findFault(url) {
      const destination = readDestination(url)
      if ('fault' in destination) return destination.fault
      try {
        await findPublicAddresses(destination, { names, rules })
        return null
      } catch (fault) {
        return sentences[(fault as OutboundError).kind] ?? sentences.name_not_resolved
      }
    },
    openChannel(url, connectionOptions) {
      const destination = readDestination(url)
      return 'fault' in destination ? deadChannel : openPinned(destination, connectionOptions)
    },
    async close() {
      names.close()
      await Promise.all([...channels].map((channel) => channel.destroy()))
    },
  }
}

const sentences: Partial<Record<OutboundErrorKind, string>> & { name_not_resolved: string } = {
  address_refused: 'Use a host whose addresses are all public, and at most 32 of them.',
  name_not_resolved: 'The host name was not found: publish an A or AAAA record for it, then try again.',
}

/** A URL that was accepted under older rules ends here. */
const deadChannel: Channel = {
  post: () => Promise.reject(new OutboundError('bad_url')),
  close: () => Promise.resolve(),
}
