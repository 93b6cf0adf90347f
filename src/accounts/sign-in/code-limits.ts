import { sql } from 'kysely'
import { ownerMailsPerHour } from '../../contract/limits.ts'
import type { Transaction } from '../../platform/database/database.ts'

/** How the requester arrived: by a link that the agent can create, by an emailed link, or with a session. */
export type CodeOrigin = 'agent_link' | 'mailed_link' | 'session'

type Sending = { accountId: string; email: string; way: CodeOrigin; at: Date }

const hourMs = 3_600_000

export type TooMany = {
  againAt: Date
  /** Whether an emailed link can still get a code in the meantime. */
  isMailedLinkOpen: boolean
}

/** The most codes per hour that this way allows. */
export const codesPerHour = (way: CodeOrigin): number =>
  Math.min(ownerMailsPerHour.account.all, ownerMailsPerHour.account[way], ownerMailsPerHour.mailbox[way])

/** When the next code may be sent; null if now. Until the commit, no other code is sent to the account or mailbox. */
export async function readNextSend(tx: Transaction, { accountId, email, way, at }: Sending): Promise<TooMany | null> {
  await lockAccount(tx, accountId)
  await lockMailbox(tx, email)
  const mailbox = email.toLowerCase()
  const codes = await tx
    .selectFrom('owner_codes')
    .select(['account_id', 'purpose', 'by_mailed_link', 'created_at'])
    .select((row) => row.fn<string>('lower', ['email']).as('mailbox'))
    .where((where) =>
      where.or([where('account_id', '=', accountId), where(where.fn('lower', ['email']), '=', mailbox)]),
    )
    .where('created_at', '>', new Date(at.getTime() - hourMs))
    .orderBy('created_at', 'desc')
    .execute()
  const ofAccount = codes.filter(({ account_id }) => account_id === accountId)
  const toMailbox = codes.filter((code) => code.mailbox === mailbox)
  const full = fullSince({ ofAccount, toMailbox }, way)
  if (full.length === 0) return null
  return {
    againAt: new Date(Math.max(...full) + hourMs),
    isMailedLinkOpen: fullSince({ ofAccount, toMailbox }, 'mailed_link').length === 0,
  }
}

type Sent = { purpose: string; by_mailed_link: boolean; created_at: Date }

/** For each limit that is reached: when the oldest counted code was sent. */
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

/** Locked before any code's row, in the same order as when an account is closed, to avoid deadlocks. */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx)
}

/** Emails to one address are counted serially, across all its accounts. */
export async function lockMailbox(tx: Transaction, email: string): Promise<void> {
  const name = `owner mails to ${email.toLowerCase()}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}
