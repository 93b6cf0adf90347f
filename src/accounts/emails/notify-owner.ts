import type { Database } from '../../platform/database/database.ts'
import { isOwnerEmailId, ownerEmails } from './owner-emails.ts'
import { type EmailSender, quoteName, sendToOwner } from './send.ts'

type OwnerNotification = { db: Database; post: EmailSender; accountId: string; about: string; subject: string }

/** Emails the owner about an event. Does nothing if its subject no longer exists. */
export async function notifyOwner({ db, post, accountId, about, subject }: OwnerNotification): Promise<void> {
  if (!isOwnerEmailId(about)) throw new Error('no email text for this owner notification')
  const account = await db
    .selectFrom('accounts')
    .select(['name', 'email'])
    .where('id', '=', accountId)
    .where('standing', '<>', 'closed')
    .executeTakeFirst()
  if (!account) return
  const telling = await ownerEmails[about](db, { accountId, subject, name: quoteName(account.name), ...post })
  if (!telling) return
  const { title, parts, to = account.email, unsubscribesAt } = telling
  const id = `${about}.${subject.replaceAll(/[^\w-]/g, '')}`
  await sendToOwner(post, { to, subject: title, id, parts, ...(unsubscribesAt && { unsubscribesAt }) })
}
