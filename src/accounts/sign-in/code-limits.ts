import { sql } from 'kysely'
import { ownerMailsPerHour } from '../../contract/limits.ts'
import type { Transaction } from '../../platform/database/database.ts'

/** How whoever asks for a code has come: by a link that the agent can make, by one that was mailed, or signed in. */
export type CodeOrigin = 'agent_link' | 'mailed_link' | 'session'

type Sending = { accountId: string; email: string; way: CodeOrigin; at: Date }

const hourMs = 3_600_000

export type TooMany = {
  againAt: Date
  /** Whether a link that was mailed brings a code meanwhile. */
  isMailedLinkOpen: boolean
}

/** The most that this way ever brings in an hour. */
export const codesPerHour = (way: CodeOrigin): number =>
  Math.min(ownerMailsPerHour.account.all, ownerMailsPerHour.account[way], ownerMailsPerHour.mailbox[way])

/** When a code may be mailed again; null when it may now. No other is mailed to the account or the mailbox before the commit. */
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

/** For each limit of a way that is used up: when the first of the codes was mailed that use it up. */
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

/** Before any row of a code, as by the closing of an account: neither waits for the other in turn. */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx)
}

/** What is mailed to an address is counted one after another, for all of its accounts. */
export async function lockMailbox(tx: Transaction, email: string): Promise<void> {
  const name = `owner mails to ${email.toLowerCase()}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}
