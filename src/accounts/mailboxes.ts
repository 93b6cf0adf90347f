import { type RawBuilder, sql } from 'kysely'
import { allowances, providerAccounts } from '../contract/limits.ts'
import type { Database, Transaction } from '../platform/database/database.ts'
import type { Sealing } from '../platform/sealing.ts'
import { takeUse } from './allowances.ts'

/**
 * The mailbox that an address is delivered to, without its sub-address. Everything that is counted per mailbox uses it.
 * Emails go to the address as given.
 */
export const mailboxOf = (email: string | RawBuilder<string>): RawBuilder<string> => sql<string>`fold_mailbox(${email})`

/** The same of the column `email`. */
export const itsMailbox = mailboxOf(sql.ref('email'))

/**
 * Counts an email to an unverified mailbox of a domain. False if the domain has had its share of the day. Domains with
 * many verified accounts are providers and have no limit.
 */
export async function countMailToDomain(
  db: Database | Transaction,
  sealing: Sealing,
  { email, at }: { email: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql<{ domain: string; is_counted: boolean }>`
    select mail_domain(${email}) as domain, (
      not exists (select from accounts where fold_mailbox(email) = ${mailboxOf(email)} and ${isVerified})
      and (
        select count(*) from (
          select from accounts where mail_domain(email) = mail_domain(${email}) and ${isVerified} limit ${providerAccounts}
        ) verified
      ) < ${providerAccounts}
    ) as is_counted`.execute(db)
  const [found] = rows
  if (!found?.is_counted) return true
  const allowance = 'owner-mails-per-domain'
  const use = { allowance, subject: sealing.pseudonymOf(`mail domain ${found.domain}`), at } as const
  return (await takeUse(db, use, allowances[allowance].max)) !== null
}

const isVerified = sql<boolean>`email_verified_at is not null and standing <> 'closed'`

/**
 * Bans an account whose address was just verified if a banned account has the same mailbox. The ban ends with the other
 * one. Accounts that were verified before keep their standing.
 */
export async function followMailboxBan(tx: Transaction, accountId: string): Promise<void> {
  await sql`select follow_mailbox_ban(${accountId})`.execute(tx)
}
