import { ownerLinkSeconds } from '../../contract/limits.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Sealing } from '../../platform/sealing.ts'
import type { EmailPart } from '../emails/layout.ts'
import { type EmailSender, quoteName, sendToOwner } from '../emails/send.ts'
import { takeAccountsToMail } from './find-account.ts'
import { createOwnerLink } from './owner-links.ts'

type OwnerLinkEmail = { db: Database; clock: Clock; sealing: Sealing; post: EmailSender; mailId: number }

/**
 * Sends the owner one email with a link for each account. Links are created when the email is sent, because their hour
 * starts then.
 */
export async function mailOwnerLink({ db, clock, sealing, post, mailId }: OwnerLinkEmail): Promise<void> {
  const accounts = await takeAccountsToMail(db, sealing, { mailId, at: clock.now() })
  const [first] = accounts
  if (!first) return
  const { accountPageUrl } = post
  const parts: EmailPart[] = []
  for (const { id: accountId, name } of accounts) {
    const link = await createOwnerLink(db, { accountId, accountPageUrl, at: clock.now(), mailed: true })
    parts.push(
      { says: `This link opens the owner page for the account ${quoteName(name)}. It works for ${minutes} minutes.` },
      { leadsTo: link, label: 'Open the owner page' },
    )
  }
  await sendToOwner(post, {
    to: first.email,
    subject: 'Your link to the owner page',
    id: `link.${mailId}`,
    parts: [
      ...parts,
      { says: 'On that page, request a code by email to sign in.' },
      {
        adds: 'If you did not request it, someone entered your address on our page. We did not tell them whether it has an account, and only you received the link. You do not need to do anything.',
      },
    ],
  })
}

const minutes = ownerLinkSeconds / 60
