import { ownerLinkSeconds } from '../../contract/limits.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { EmailPart } from '../emails/layout.ts'
import { type EmailSender, quoteName, sendToOwner } from '../emails/send.ts'
import { takeAccountsToMail } from './find-account.ts'
import { createOwnerLink } from './owner-links.ts'

type OwnerLinkEmail = { db: Database; clock: Clock; post: EmailSender; mailId: number }

/** Mails the owner links to their pages, made as they are sent: their hour begins then. One mail for all accounts. */
export async function mailOwnerLink({ db, clock, post, mailId }: OwnerLinkEmail): Promise<void> {
  const accounts = await takeAccountsToMail(db, { mailId, at: clock.now() })
  const [first] = accounts
  if (!first) return
  const { accountPageUrl } = post
  const parts: EmailPart[] = []
  for (const { id: accountId, name } of accounts) {
    const link = await createOwnerLink(db, { accountId, accountPageUrl, at: clock.now(), mailed: true })
    parts.push(
      { says: `This link leads to the page of the account ${quoteName(name)}. It works for ${minutes} minutes.` },
      { leadsTo: link, label: 'Open the owner page' },
    )
  }
  await sendToOwner(post, {
    to: first.email,
    subject: 'Your link to the owner page',
    id: `link.${mailId}`,
    parts: [
      ...parts,
      { says: 'There we mail you a code, and with it you are signed in.' },
      {
        adds: 'Did you not ask for it? Somebody entered your address on our page. They were not told that it has an account, and the link came to nobody but you. You need not do anything.',
      },
    ],
  })
}

const minutes = ownerLinkSeconds / 60
