import type { Clock } from './clock.ts'
import type { Database } from './database.ts'
import type { Logger } from './logger.ts'

/** What a handler is given, whichever door the call came through. */
export type Call = {
  requestId: string
  db: Database
  clock: Clock
  logger: Logger
  /** The site that was called. */
  baseUrl: string
  /** The origin of the owner page, where the agent's human is sent. */
  accountPageUrl: string
  /** The client's address as the gateway saw it. */
  address: string
  /** Null when no key was sent. */
  caller: Caller | null
}

export type Caller = { accountId: string; keyId: string }

/** A call of an operation that needs a key. */
export type KeyedCall = Call & { caller: Caller }
