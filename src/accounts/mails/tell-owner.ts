import type { Database } from '../../platform/database.ts'
import { type Post, quoteName, sendToOwner } from './send.ts'
import { isAbout, tellings } from './tellings.ts'

type Told = { db: Database; post: Post; accountId: string; about: string; subject: string }

/** Tells the owner what happened to their account. Ends quietly when what it is about is no longer there. */
export async function tellOwner({ db, post, accountId, about, subject }: Told): Promise<void> {
  if (!isAbout(about)) throw new Error('the owner is to be told of something that has no text')
  const account = await db
    .selectFrom('accounts')
    .select(['name', 'email'])
    .where('id', '=', accountId)
    .where('standing', '<>', 'closed')
    .executeTakeFirst()
  if (!account) return
  const telling = await tellings[about](db, { accountId, subject, name: quoteName(account.name), ...post })
  if (!telling) return
  const { title, parts, to = account.email, unsubscribesAt } = telling
  const id = `${about}.${subject.replaceAll(/[^\w-]/g, '')}`
  await sendToOwner(post, { to, subject: title, id, parts, ...(unsubscribesAt && { unsubscribesAt }) })
}
