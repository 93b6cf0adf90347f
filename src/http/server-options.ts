import type { KeyObject } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { MountedHandler } from '../calls/mounted-handler.ts'
import type { Call } from '../contract/call.ts'
import type { AllowanceSizes } from '../contract/limits.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/observability/logger.ts'
import type { Outbound } from '../platform/outbound-http/open-outbound.ts'
import type { Reader } from '../platform/replica.ts'
import type { Sealing } from '../platform/sealing.ts'
import type { StreamTiming } from '../stream/stream-hub.ts'
import type { HttpSite } from './sites.ts'

export type ServerOptions = {
  sites: readonly HttpSite[]
  accountPageUrl: string
  db: Database
  sideDb: Database
  searchReader: Reader
  clock: Clock
  logger: Logger
  allowances: AllowanceSizes
  obeysTestWords: boolean
  sealing: Sealing
  outbound: Pick<Outbound, 'findFault' | 'read'>
  /** The secrets that authenticate the gateway. Forwarded client addresses are trusted only from the gateway. */
  gatewaySecrets: readonly KeyObject[]
  /** The limit on concurrent requests, and the event loop delay. */
  maxInFlight: number
  loopDelayMs: () => number
  /** Serves MCP clients: on each site, and at the owner page's origin for all sites. */
  mcp: MountedHandler
  commonMcp: MountedHandler
  /** How often streams look at their logs, if not as usual. */
  streamTiming?: StreamTiming | undefined
  /** True once the process is shutting down: requests in flight finish, and new ones are rejected. */
  isStopping: () => boolean
}

/** The call before authentication, without a caller or an owner. */
export function callOf(options: ServerOptions, site: HttpSite, path: string, request: FastifyRequest): Call {
  const { db, sideDb, searchReader, clock, logger, accountPageUrl, obeysTestWords, sealing, outbound } = options
  const idempotencyKey = request.headers['idempotency-key']
  return {
    ...{ db, sideDb, searchReader, clock, logger, accountPageUrl, obeysTestWords, sealing, outbound },
    requestId: request.id,
    site: site.kind.name,
    baseUrl: site.baseUrl,
    baseUrls: Object.fromEntries(options.sites.map(({ kind, baseUrl }) => [kind.name, baseUrl])),
    path,
    query: {},
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : null,
    remember: async () => {},
    address: request.clientAddress,
    caller: null,
    owner: null,
    metering: { freeRemaining: 0, chargedMicros: 0 },
    takeMoreUses: async (_tx, wanted) => wanted,
  }
}
