import { randomUUID } from 'node:crypto'
import { ownerLinkSeconds } from '../../contract/limits.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { createOwnerLink } from '../owner-link.ts'
import { type Post, quoteName, sendToOwner } from './send.ts'

type Told = { db: Database; clock: Clock; post: Post; accountId: string }

/** Mails the owner a link to their page, made as it is sent: its hour begins then. */
export async function mailOwnerLink({ db, clock, post, accountId }: Told): Promise<void> {
  const account = await db
    .selectFrom('accounts')
    .select(['name', 'email'])
    .where('id', '=', accountId)
    .where('standing', '<>', 'closed')
    .executeTakeFirst()
  if (!account) return
  const { accountPageUrl } = post
  const link = await createOwnerLink(db, { accountId, accountPageUrl, at: clock.now() })
  const minutes = ownerLinkSeconds / 60
  await sendToOwner(post, {
    to: account.email,
    subject: 'Your link to the owner page',
    id: `link.${randomUUID()}`,
    parts: [
      {
        says: `This link leads to the page of the account ${quoteName(account.name)}. It works for ${minutes} minutes.`,
      },
      { leadsTo: link, label: 'Open the owner page' },
      { says: 'There we mail you a code, and with it you are signed in.' },
      {
        adds: 'Did you not ask for it? Somebody entered your address on our page. They were not told that it has an account, and the link came to nobody but you. You need not do anything.',
      },
    ],
  })
}
