import { sql } from 'kysely'
import { openBalance } from '../../ledger/balance.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identifiers.ts'
import { policy } from '../../policy/policy.ts'
import { assertNamePasses } from '../create-account.ts'
import type { OwnerSession } from '../sign-in/sessions.ts'
import { startVerifiedSession } from '../sign-in/sign-in.ts'

/** An owner can choose among these accounts. Others of the same mailbox are reached through their agents' links. */
const maxListed = 10

export type MailboxAccount = Awaited<ReturnType<typeof listMailboxAccounts>>[number]

/** The open accounts of a proven mailbox. Those that it verified come first, so that strangers cannot displace them. */
export const listMailboxAccounts = (db: Database | Transaction, email: string) =>
  db
    .selectFrom('accounts')
    .select(['id', 'name', 'email_verified_at', 'created_at'])
    .where(sql<boolean>`lower(email) = ${email.toLowerCase()}`)
    .where('standing', '<>', 'closed')
    .orderBy((row) => row('email_verified_at', 'is', null))
    .orderBy('created_at', 'desc')
    .limit(maxListed)
    .execute()

type Arriving = { email: string; browser: string; replaced: OwnerSession | null; at: Date }

/** Signs in to one of the mailbox's accounts and returns the session's token; null if it has no such account. */
export function signInByMailbox(
  db: Database,
  { accountId, ...arriving }: Arriving & { accountId: string },
): Promise<string | null> {
  return inTransaction(db, async (tx) => {
    const accounts = await listMailboxAccounts(tx, arriving.email)
    if (!accounts.some(({ id }) => id === accountId)) return null
    return startVerifiedSession(tx, { accountId, ...arriving })
  })
}

/**
 * Opens an account for the person who proved the mailbox, and signs them in. It has no key: apps are connected to it.
 * Returns null if the mailbox has enough accounts.
 */
export function signUpByMailbox(
  db: Database,
  { name, obeysTestWords, ...arriving }: Arriving & { name: string; obeysTestWords: boolean },
): Promise<string | null> {
  assertNamePasses({ obeysTestWords }, name)
  const { email, at } = arriving
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`accounts of ${email.toLowerCase()}`}, 0))`.execute(tx)
    // Strangers can open accounts with any address, so only those that the mailbox has verified count.
    const accounts = await listMailboxAccounts(tx, email)
    if (accounts.filter(({ email_verified_at }) => email_verified_at).length >= maxListed) return null
    const id = newId('acct', at)
    await tx
      .insertInto('accounts')
      .values({ id, name, email, policy_version: policy.version, created_at: at })
      .execute()
    await openBalance(tx, id)
    return startVerifiedSession(tx, { accountId: id, ...arriving })
  })
}
