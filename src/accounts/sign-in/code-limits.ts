import { sql } from 'kysely'
import { ownerMailsPerHour } from '../../contract/limits.ts'
import { startOfUtcDay } from '../../contract/time/utc-day.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { countMailToDomain, itsMailbox, mailboxOf } from '../mailboxes.ts'

/** How the requester arrived: by a link that the agent can create, by an emailed link, or with a session. */
export type CodeOrigin = 'agent_link' | 'mailed_link' | 'session'

type Sending = { accountId: string; email: string; way: CodeOrigin; at: Date }

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export type TooMany = {
  againAt: Date
  /** Whether the owner can get a code through an emailed link in the meantime. */
  isMailedLinkOpen: boolean
}

/** The maximum number of codes per hour for this origin. */
export const codesPerHour = (way: CodeOrigin): number =>
  Math.min(ownerMailsPerHour.account.all, ownerMailsPerHour.account[way], ownerMailsPerHour.mailbox[way])

/**
 * Counts a code that is about to be sent and returns null, or returns when the next code can be sent. Locks the account
 * and the mailbox until the commit, so that no other code is sent meanwhile.
 */
export async function countSend(tx: Transaction, sealing: Sealing, sending: Sending): Promise<TooMany | null> {
  const { accountId, email, way, at } = sending
  await lockAccount(tx, accountId)
  await lockMailbox(tx, email)
  const codes = await tx
    .selectFrom('owner_codes')
    .select(['account_id', 'purpose', 'by_mailed_link', 'created_at'])
    .select(sql<boolean>`${itsMailbox} = ${mailboxOf(email)}`.as('is_to_mailbox'))
    .where((where) => where.or([where('account_id', '=', accountId), where(itsMailbox, '=', mailboxOf(email))]))
    .where('created_at', '>', new Date(at.getTime() - hourMs))
    .orderBy('created_at', 'desc')
    .execute()
  const ofAccount = codes.filter(({ account_id }) => account_id === accountId)
  const toMailbox = codes.filter(({ is_to_mailbox }) => is_to_mailbox)
  const full = fullSince({ ofAccount, toMailbox }, way)
  if (full.length === 0) {
    if (await countMailToDomain(tx, sealing, { email, at })) return null
    return { againAt: new Date(startOfUtcDay(at).getTime() + dayMs), isMailedLinkOpen: false }
  }
  return {
    againAt: new Date(Math.max(...full) + hourMs),
    isMailedLinkOpen: fullSince({ ofAccount, toMailbox }, 'mailed_link').length === 0,
  }
}

type Sent = { purpose: string; by_mailed_link: boolean; created_at: Date }

/** For each limit that is reached, the time of the oldest code that counts toward it. */
function fullSince(
  { ofAccount, toMailbox }: Record<'ofAccount' | 'toMailbox', readonly Sent[]>,
  way: CodeOrigin,
): number[] {
  const { account, mailbox } = ownerMailsPerHour
  const cameAlike = (code: Sent) => wayOf(code) === way
  return [
    ofAccount[account.all - 1],
    ofAccount.filter(cameAlike)[account[way] - 1],
    toMailbox.filter(cameAlike)[mailbox[way] - 1],
  ].flatMap((code) => (code ? [code.created_at.getTime()] : []))
}

function wayOf({ purpose, by_mailed_link }: Sent): CodeOrigin {
  if (purpose === 'change_email') return 'session'
  return by_mailed_link ? 'mailed_link' : 'agent_link'
}

/** Called before any code is locked. Closing an account locks in the same order, so deadlocks cannot occur. */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx)
}

/** Locks a mailbox, so that its emails are counted one at a time across all its addresses and accounts. */
export async function lockMailbox(tx: Transaction, email: string): Promise<void> {
  const name = sql`'owner mails to ' || ${mailboxOf(email)}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}
