import type { AccountStanding } from '../../platform/database-types.ts'

/** What an account's trust follows from. */
export type TrustFacts = {
  standing: AccountStanding
  strikes: number
  createdAt: Date
  emailVerifiedAt: Date | null
  /** The last refusal or removal for abuse that was not taken back. */
  lastAbuseAt: Date | null
  /** When posts were accepted after that, the oldest first, and no more of them than the rules ask for. */
  acceptedAt: readonly Date[]
}
