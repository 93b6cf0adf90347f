import { ownerLinkSeconds } from '../../contract/limits.ts'
import { shortDay } from '../../markup/dates.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Sealing } from '../../platform/sealing.ts'
import type { EmailPart } from '../emails/layout.ts'
import { type EmailSender, nameInEmail, sendToOwner } from '../emails/send.ts'
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
  for (const account of accounts) {
    const link = await createOwnerLink(db, { accountId: account.id, accountPageUrl, at: clock.now(), mailed: true })
    parts.push(
      { shows: account.id, label: 'Account' },
      { says: describe(account) },
      { leadsTo: link, label: 'Open your account' },
    )
  }
  await sendToOwner(post, {
    to: first.email,
    subject: 'Your Broadside link',
    id: `link.${mailId}`,
    parts: [
      {
        says: `Step 1 of 2: open ${accounts.length === 1 ? 'this link' : 'the link of one account'}. Step 2: we email you a six-digit code. ${accounts.length === 1 ? 'The link works' : 'The links work'} for ${minutes} minutes.`,
      },
      ...parts,
      {
        adds: 'If you did not request it, someone entered your address on our page. We did not tell them whether it has an account, and only you received the link. You do not need to do anything.',
      },
    ],
  })
}

type Listed = Awaited<ReturnType<typeof takeAccountsToMail>>[number]

/** What tells accounts apart, even if a stranger opened one with the same name. */
function describe(account: Listed): string {
  const { email_verified_at, created_at, posts } = account
  const facts = `was opened on ${shortDay(created_at)} and has ${posts === 1 ? '1 post' : `${posts || 'no'} posts`}`
  return email_verified_at
    ? `The account ${nameInEmail(account)} ${facts}. You have signed in to it before.`
    : `It ${facts}. Nobody has signed in to it with this address. Anyone can open an account with your address: if you do not know it, do not use it.`
}

const minutes = ownerLinkSeconds / 60
