import { type Channel, PinnedChannel } from './channel.ts'
import { connectPinned, decideTrust, type PinnedTarget } from './connect-pinned.ts'
import { type Destination, readDestination } from './destination.ts'
import { type FetchedDocument, type FetchLimits, fetchDocument } from './fetch-document.ts'
import { OutboundError, type OutboundErrorKind } from './outbound-error.ts'
import { decideAddresses } from './public-addresses.ts'
import { findPublicAddresses, openAddressLookup } from './resolve-addresses.ts'

export type { Channel } from './channel.ts'
export type { FetchedDocument } from './fetch-document.ts'
export { OutboundError, type OutboundErrorKind } from './outbound-error.ts'

export type OutboundOptions = {
  /** CIDR ranges to treat as public, for tests. The settings reject them in production. */
  testRanges?: readonly string[]
  /** CIDR ranges that are never connected to, in addition to the reserved ones: the operator's public addresses. */
  refusedRanges?: readonly string[]
  /** Used instead of the system's name servers, for example `127.0.0.1:5353`. */
  dnsServers?: readonly string[]
  /** PEM of authorities to trust in addition to the default ones. */
  certificateAuthorities?: string
}

export type Outbound = {
  /** Resolves the name, and returns a message that says what is wrong with this destination; null if it is valid. */
  findFault(url: string): Promise<string | null>
  /**
   * Connections to one destination. `mayConnect` runs immediately before each new connection, after the name was
   * resolved. If it returns false, the attempt ends with the fault `withdrawn`.
   */
  openChannel(url: string, options: ConnectionOptions): Channel
  /** Reads a small document. Follows no redirect. Throws only `OutboundError`. */
  read(url: string, limits: FetchLimits): Promise<FetchedDocument>
  /** Aborts active posts and releases everything. */
  close(): Promise<void>
}

type ConnectionOptions = { maxConnections: number; mayConnect: () => boolean | Promise<boolean> }

/**
 * A client for addresses that users chose. It connects only to public addresses, and checks the address of the socket.
 * Proxy settings do not affect it.
 */
export function openOutbound(options: OutboundOptions = {}): Outbound {
  const names = openAddressLookup(options.dnsServers)
  const rules = decideAddresses(options)
  const trust = decideTrust(options.certificateAuthorities)
  const channels = new Set<PinnedChannel>()

  function connectorTo(destination: Destination, mayConnect: ConnectionOptions['mayConnect']) {
    const serverName = destination.isLiteral ? null : destination.host
    const target: PinnedTarget = { serverName, trust, session: undefined, mayConnect }
    return async (signal: AbortSignal) =>
      connectPinned(await findPublicAddresses(destination, { names, rules }), target, signal)
  }

  function openPinned(destination: Destination, { maxConnections, mayConnect }: ConnectionOptions): Channel {
    const channel = new PinnedChannel(destination, {
      maxConnections,
      connect: connectorTo(destination, mayConnect),
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
    async read(url, limits) {
      const destination = readDestination(url)
      if ('fault' in destination) throw new OutboundError('bad_url')
      return fetchDocument(
        destination,
        connectorTo(destination, () => true),
        limits,
      )
    },
    async close() {
      names.close()
      await Promise.all([...channels].map((channel) => channel.destroy()))
    },
  }
}

const sentences: Partial<Record<OutboundErrorKind, string>> & { name_not_resolved: string } = {
  address_refused: 'Use a host with at most 32 addresses, all public.',
  name_not_resolved: 'The host name was not found. Publish an A or AAAA record for it, then retry.',
}

/** Rejects a URL that was accepted under older rules. */
const deadChannel: Channel = {
  post: () => Promise.reject(new OutboundError('bad_url')),
  close: () => Promise.resolve(),
}
