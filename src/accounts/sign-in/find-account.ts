import { sql } from 'kysely'
import { ownerMailsPerHour } from '../../contract/limits.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { countMailToDomain, itsMailbox, mailboxOf } from '../mailboxes.ts'
import { lockMailbox } from './code-limits.ts'

const hourMs = 3_600_000

/** The maximum number of accounts in one email. Owners of more accounts can get the other links from their agents. */
const maxAccounts = 10

/**
 * Enqueues an email with links for the owner of this address. The work is the same for every address, and the worker
 * does the lookup, so neither the response nor its timing reveals whether an account exists.
 */
export function askForLinks(db: Database, { email, at }: { email: string; at: Date }): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { id } = await tx
      .insertInto('owner_link_mails')
      .values({ email, asked_at: at })
      .returning('id')
      .executeTakeFirstOrThrow()
    await enqueue(tx, 'mail-owner-link', { mail_id: id })
  })
}

/**
 * Returns the accounts to list in the email. If there are none or a limit is reached, deletes the request and returns an
 * empty list. A retried email is not counted again. Accounts with a verified address come first, so that accounts that
 * a stranger created with the address do not displace them.
 */
export function takeAccountsToMail(db: Database, sealing: Sealing, { mailId, at }: { mailId: number; at: Date }) {
  return inTransaction(db, async (tx) => {
    const asked = await tx
      .selectFrom('owner_link_mails')
      .select(['email', 'mailed_at'])
      .where('id', '=', mailId)
      .executeTakeFirst()
    if (!asked) return []
    await lockMailbox(tx, asked.email)
    const isThisAddress = sql<boolean>`lower(email) = ${asked.email.toLowerCase()}`
    const accounts = await tx
      .selectFrom('accounts')
      .select(['id', 'name', 'email', 'email_verified_at', 'created_at'])
      .select(sql<number>`(select count(*)::int from posts where account_id = accounts.id)`.as('posts'))
      .where(isThisAddress)
      .where('standing', '<>', 'closed')
      .orderBy((row) => row('email_verified_at', 'is', null))
      .orderBy('created_at', 'desc')
      .limit(maxAccounts)
      .execute()
    if (asked.mailed_at) return accounts
    // Requests for sub-addresses that a stranger made up must not use up the links of an address that its owner verified.
    const isCountedAlone = Boolean(accounts[0]?.email_verified_at)
    const { mails } = await tx
      .selectFrom('owner_link_mails')
      .select((query) => query.fn.countAll<number>().as('mails'))
      .where(itsMailbox, '=', mailboxOf(asked.email))
      .$if(isCountedAlone, (query) => query.where(isThisAddress))
      .where('mailed_at', '>', new Date(at.getTime() - hourMs))
      .executeTakeFirstOrThrow()
    const isWithin = accounts.length > 0 && mails < ownerMailsPerHour.mailbox.links
    if (!(isWithin && (await countMailToDomain(tx, sealing, { email: asked.email, at })))) {
      await tx.deleteFrom('owner_link_mails').where('id', '=', mailId).execute()
      return []
    }
    await tx.updateTable('owner_link_mails').set({ mailed_at: at }).where('id', '=', mailId).execute()
    return accounts
  })
}
