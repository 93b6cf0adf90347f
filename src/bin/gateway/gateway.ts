import type { KeyObject } from 'node:crypto'
import type { GatewayLimits } from './limit-values.ts'
import type { GatewayProblem } from './problems.ts'
import type { Cdn, SiteServer } from './site.ts'
import type { SharedCeiling } from './upstreams/ceiling.ts'
import type { ObjectStorePages } from './upstreams/object-store.ts'

export type Gateway = {
  /** The working folder of this nginx, as an absolute path. */
  directory: string
  sites: SiteServer[]
  /** The bucket that has the pages, if the sites have no folders. */
  store?: ObjectStorePages
  ownerPage: { baseUrl: string; listen: readonly string[]; upstreamPort: number }
  desk: { baseUrl: string; listen: readonly string[]; upstreamPort: number }
  /** Receives requests for unknown host names. Needed only if the sites share their addresses. */
  strangers?: { listen: readonly string[] }
  apiPorts: readonly number[]
  cardsPort: number
  /** Where these processes are, as host:port, if not on the ports of this machine. */
  elsewhere?: {
    api?: readonly string[]
    ownerPage?: readonly string[]
    desk?: readonly string[]
    cards?: readonly string[]
  }
  /** The CDN in front of the gateway, if there is one. */
  cdn?: Cdn | undefined
  requestsPerSecond: number
  burst: number
  /** Set if several gateways share that ceiling. */
  ceiling?: SharedCeiling
  /** The responses that nginx generates itself. One for each of `gatewayCodes`. */
  problems: readonly GatewayProblem[]
  /** The same for people, by site and name: `messages/404.html`. */
  errorPages: ReadonlyMap<string, string>
  workers: { processes: number | 'auto'; connections: number; user?: string }
  tls?: { certificate: string; key: string }
  /** The addresses or ranges of proxies that are trusted to report the caller's address. */
  trustedProxies?: readonly string[]
  /** Whether the trusted proxies start each connection with the PROXY protocol. Then every connection must. */
  proxyProtocol?: boolean
  limits: GatewayLimits
  /** The file of the access log; none is written without it. */
  accessLog?: string
  /** nginx sends it with each request to the API, and nowhere else. */
  secret: KeyObject
  /** What other gateways may send; its own secret by default. */
  acceptedSecrets?: readonly KeyObject[]
}
