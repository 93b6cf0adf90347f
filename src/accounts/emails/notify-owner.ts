import type { Database } from '../../platform/database/database.ts'
import { isOwnerEmailId, ownerEmails } from './owner-emails.ts'
import { type EmailSender, quoteName, sendToOwner } from './send.ts'

type OwnerNotification = { db: Database; post: EmailSender; accountId: string; about: string; subject: string }

/** Tells the owner what happened to their account. Ends quietly when what it is about is no longer there. */
export async function notifyOwner({ db, post, accountId, about, subject }: OwnerNotification): Promise<void> {
  if (!isOwnerEmailId(about)) throw new Error('the owner is to be told of something that has no text')
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
