import type { LocalModel } from '../../model/server/local/local-model.ts'
import type { GatewayLimits } from '../../src/bin/gateway/limit-values.ts'
import type { Operation } from '../../src/contract/define-operation.ts'
import type { Kind } from '../../src/kinds/index.ts'
import type { CommonEndpoint, Serve } from '../../src/mcp/http-adapter.ts'
import type { PaymentService } from '../../src/platform/payments/provider.ts'
import type { CardPainter } from '../../src/publishing/cards/card-painter.ts'
import type { PageDelays } from '../../src/publishing/publishing.ts'
import type { StreamTiming } from '../../src/stream/stream-hub.ts'
import type { Zone } from '../network/dns-server.ts'
import type { OwnDatabase } from '../services/databases.ts'
import type { TestSettings } from './processes.ts'

type Receivers = { zone: Zone; certificateAuthorities?: string; refusedRanges?: string[] }

export type ServiceOptions = {
  /** Settings of all processes that differ from those of the other tests. */
  settings?: TestSettings
  /** The database, which the caller disposes. Default: a new one. */
  database?: OwnDatabase
  /** Whether to run a worker and the model in this process too, so that posts are moderated. */
  judges?: boolean
  /** Whether to serve the files generated from the contract (openapi.yml, problems/ …), which takes almost a second. */
  documents?: true
  /** Seconds during which page changes are batched. Default: no batching. */
  pageDelays?: PageDelays
  /** Draws the posts' cards. Default: nobody does. */
  cards?: CardPainter
  /** The local model, unless MODEL_URL is set. Default: a model that detects only test words. */
  local?: LocalModel
  /** The kinds of posts, if not the default ones. Each gets a site. */
  kinds?: readonly Kind[]
  /** The receivers and how to reach them. By default, every name resolves to an address without a listener. */
  receivers?: Receivers
  /** Timeout of a delivery attempt, if not the default. */
  attemptMs?: number
  /** Address ranges in front of the gateway whose X-Forwarded-For is trusted. Default: none. */
  trustedProxies?: string[]
  requestsPerSecond?: number
  /** How often streams look at their logs and after their readers. Default: as usual. */
  streamTiming?: StreamTiming
  /** What the gateway allows one address. Default: nearly everything. */
  gatewayLimits?: GatewayLimits
  burst?: number
  /** The number of API servers behind the gateway, each with its own connections. Default: one. */
  apiServers?: number
  /** The daily limits. A missing limit means unlimited. */
  accountsPerAddress?: number
  requestedDeliveriesPerAccount?: number
  /** Timeout of a search. The default is longer than any search takes on a busy machine. */
  searchTimeoutMs?: number
  searchesPerKey?: number
  searchesPerAddress?: number
  reportsPerAddress?: number
  relaysPerAccount?: number
  domainChecksPerAccount?: number
  /** Operations for tests only, for behaviour that no real operation has yet. */
  extraOperations?: readonly Operation[]
  /** A stub of the payment provider. Default: that of the settings, in which only the operator records payments. */
  payments?: PaymentService
  /** The handler for the MCP endpoints. Default: the sites' own tools. */
  serveMcp?: Serve
  /** The same for all sites together. */
  commonMcp?: Partial<CommonEndpoint>
}

/** The daily limits without a setting. The other ones are the real limits. */
export const allowancesFrom = (options: ServiceOptions) => ({
  'requested-deliveries-per-account': options.requestedDeliveriesPerAccount ?? 0,
  'searches-per-key': options.searchesPerKey ?? 0,
  'searches-per-address': options.searchesPerAddress ?? 0,
  'reports-per-address': options.reportsPerAddress ?? 0,
  'relays-per-account': options.relaysPerAccount ?? 0,
  'domain-checks-per-account': options.domainChecksPerAccount ?? 0,
})
