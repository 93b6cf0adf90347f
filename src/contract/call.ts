import type { Clock } from '../platform/clock.ts'
import type { Database, Transaction } from '../platform/database/database.ts'
import type { Logger } from '../platform/observability/logger.ts'
import type { Outbound } from '../platform/outbound-http/open-outbound.ts'
import type { Reader } from '../platform/replica.ts'
import type { Sealing } from '../platform/sealing.ts'

/** Everything a handler receives, from the JSON API and from MCP alike. */
export type Call = {
  requestId: string
  db: Database
  /** Connections for searches and their counts: short timeouts, and a server crash may lose the latest counts. */
  sideDb: Database
  /** Searches: from a replica if there is one, and it is current enough. */
  searchReader: Reader
  clock: Clock
  logger: Logger
  /** The kind of post that the called site accepts, and the site's base URL. */
  site: string
  baseUrl: string
  /** The base URL of every site, by the kind of post that it accepts. */
  baseUrls: Readonly<Record<string, string>>
  /** The path of the request, with its parameters filled in. */
  path: string
  /** The query as sent, for links to the next page. */
  query: Record<string, string>
  /** The origin of the owner page, where agents send their owner. */
  accountPageUrl: string
  /** The client's address as the gateway saw it. */
  address: string
  /** Null when no key was sent. */
  caller: Caller | null
  /** The signed-in owner; null unless the operation requires the owner. */
  owner: Owner | null
  /** The free quota left after this call, and its charge. */
  metering: Metering
  /**
   * Counts up to this many more uses of the operation's daily limit, in the handler's transaction, and returns how many
   * were left. The call itself is already counted as one.
   */
  takeMoreUses: TakeMoreUses
  /** The Idempotency-Key as sent; null if the request has none. */
  idempotencyKey: string | null
  /** Stores the response for repeats of this call, in the transaction of the handler's changes, before them. */
  remember: Remember
  /** Encrypts secrets that we must be able to decrypt later. */
  sealing: Sealing
  /** Checks whether we may send requests to a URL, and reads small documents. */
  outbound: Pick<Outbound, 'findFault' | 'read'>
  /** True outside production: test words in a post select the moderation outcome. */
  obeysTestWords: boolean
}

/** The free uses left today after this one, and the charge. Both are 0 if the operation is not metered. */
export type Metering = { freeRemaining: number; chargedMicros: number }

export type TakeMoreUses = (tx: Transaction, wanted: number) => Promise<number>

export type Remember = (tx: Transaction, answer: RememberedAnswer) => Promise<void>
export type RememberedAnswer = { status: number; headers: Record<string, string>; body: unknown }

export type Caller = {
  accountId: string
  keyId: string
  /** The owner's card is charged when the balance runs low. */
  autoRecharges: boolean
  /** Posts of this caller wait for the owner as drafts. */
  needsApproval: boolean
}

/** A call to an operation that requires an API key. */
export type KeyedCall = Call & { caller: Caller }

export type Owner = { accountId: string; sessionId: string; csrfToken: string }

/** A call to an operation that requires the owner's session. */
export type OwnerCall = Call & { owner: Owner }
