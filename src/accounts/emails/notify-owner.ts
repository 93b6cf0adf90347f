import type { Database } from '../../platform/database/database.ts'
import type { EmailPart } from './layout.ts'
import { type EmailSender, nameInEmail, sendToOwner } from './send.ts'

/**
 * `name` is the account's quoted name, or its id if the address is not verified. Until it is, the email contains no text
 * that an agent chose.
 */
export type EmailFacts = {
  accountId: string
  subject: string
  name: string
  isVerified: boolean
  accountPageUrl: string
}

/** `to` only if it is not the account's address; `unsubscribesAt` if the owner can turn such emails off. */
export type OwnerEmail = { title: string; parts: EmailPart[]; to?: string; unsubscribesAt?: string }

/** The emails of a feature by id, each built from the row that `subject` names; null if it no longer exists. */
export type OwnerEmails = Record<string, (db: Database, facts: EmailFacts) => Promise<OwnerEmail | null>>

type OwnerNotification = {
  db: Database
  post: EmailSender
  emails: OwnerEmails
  accountId: string
  about: string
  subject: string
}

/** Emails the owner about an event. Does nothing if its subject no longer exists. */
export async function notifyOwner(notification: OwnerNotification): Promise<void> {
  const { db, post, emails, accountId, about, subject } = notification
  const write = Object.hasOwn(emails, about) && emails[about]
  if (!write) throw new Error('no email text for this owner notification')
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'email_verified_at'])
    .where('id', '=', accountId)
    .where('standing', '<>', 'closed')
    .executeTakeFirst()
  if (!account) return
  const isVerified = account.email_verified_at !== null
  const telling = await write(db, { accountId, subject, name: nameInEmail(account), isVerified, ...post })
  if (!telling) return
  const { title, parts, to = account.email, unsubscribesAt } = telling
  const id = `${about}.${subject.replaceAll(/[^\w-]/g, '')}`
  await sendToOwner(post, { to, subject: title, id, parts, ...(unsubscribesAt && { unsubscribesAt }) })
}
