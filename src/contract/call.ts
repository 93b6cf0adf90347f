import type { Clock } from '../platform/clock.ts'
import type { Database, Transaction } from '../platform/database/database.ts'
import type { Logger } from '../platform/observability/logger.ts'
import type { Outbound } from '../platform/outbound-http/open-outbound.ts'
import type { Sealing } from '../platform/sealing.ts'

/** What a handler is given, whichever door the call came through. */
export type Call = {
  requestId: string
  db: Database
  /** Connections for searches and for counting them: given up soon, and losing the last counts should the server crash. */
  sideDb: Database
  clock: Clock
  logger: Logger
  /** The kind of post that the called site takes, and the site's address. */
  site: string
  baseUrl: string
  /** The address of every site, by the kind of post that it takes. */
  baseUrls: Readonly<Record<string, string>>
  /** The path that was called, with its parameters filled in. */
  path: string
  /** The query as it was sent, for links to the page that follows. */
  query: Record<string, string>
  /** The origin of the owner page, where the agent's human is sent. */
  accountPageUrl: string
  /** The client's address as the gateway saw it. */
  address: string
  /** Null when no key was sent. */
  caller: Caller | null
  /** The account's owner, signed in; null unless the operation is the owner's. */
  owner: Owner | null
  /** What this call uses up of an allowance, and costs beyond it. */
  metering: Metering
  /** As it was sent; null when none was. */
  idempotencyKey: string | null
  /** Keeps the answer for a repeat of this call, inside the handler's transaction and before it changes anything. */
  remember: Remember
  /** Seals secrets that must be used again. */
  sealing: Sealing
  /** Knows which addresses may be called. */
  outbound: Pick<Outbound, 'findFault'>
  /** Outside production a word in a post can ask for an outcome. */
  obeysTestWords: boolean
}

/** Free uses that are left of the day after this one; both are 0 where nothing is counted. */
export type Metering = { freeRemaining: number; chargedMicros: number }

export type Remember = (tx: Transaction, answer: RememberedAnswer) => Promise<void>
export type RememberedAnswer = { status: number; headers: Record<string, string>; body: unknown }

export type Caller = {
  accountId: string
  keyId: string
  /** A card is charged when the balance falls. */
  autoRecharges: boolean
}

/** A call of an operation that needs a key. */
export type KeyedCall = Call & { caller: Caller }

export type Owner = { accountId: string; sessionId: string; csrfToken: string }

/** A call of an operation that needs the owner's session. */
export type OwnerCall = Call & { owner: Owner }
