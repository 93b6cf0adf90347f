import { ownerCodes } from '../../contract/limits.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Sealing } from '../../platform/sealing.ts'
import type { EmailPart } from '../emails/layout.ts'
import { type EmailSender, nameInEmail, sendToOwner } from '../emails/send.ts'
import { readCode } from './codes.ts'

type CodeEmail = { db: Database; clock: Clock; sealing: Sealing; post: EmailSender; codeId: number }

/** Emails a six-digit code. Does nothing if the code is no longer valid. */
export async function mailCode({ db, clock, sealing, post, codeId }: CodeEmail): Promise<void> {
  const found = await readCode(db, sealing, { id: codeId, at: clock.now() })
  if (!found) return
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'email_verified_at'])
    .where('id', '=', found.accountId)
    .where('standing', '<>', 'closed')
    .executeTakeFirst()
  if (!account) return
  const { subject, parts } = texts[found.purpose]({
    ...found,
    id: account.id,
    name: nameInEmail(account),
    accountPageUrl: post.accountPageUrl,
  })
  await sendToOwner(post, { to: found.email, subject, id: `code.${codeId}`, parts })
}

type Facts = { code: string; id: string; name: string; accountPageUrl: string }

const minutes = ownerCodes.lifeSeconds / 60

// The code is not in the subject, because mail servers log subjects. It comes first in the text, so that
// mail clients still show it in the preview.
const texts: Record<'sign_in' | 'change_email', (facts: Facts) => { subject: string; parts: EmailPart[] }> = {
  sign_in: ({ code, name, accountPageUrl }) => ({
    subject: 'Your Broadside sign-in code',
    parts: [
      { code },
      {
        says: `Enter it on ${accountPageUrl}, in the browser where you requested it. It works for ${minutes} minutes.`,
      },
      { says: `It signs you in as the owner of the account ${name}.` },
      {
        says: 'Do not share it with anyone, including your agent or people who claim to be from Broadside. Anyone who enters it can spend the account’s money and delete the account.',
      },
      { adds: notAsked },
    ],
  }),
  // The new address is not verified, so the email says nothing that someone chose.
  change_email: ({ code, id, accountPageUrl }) => ({
    subject: 'Confirm your new email address',
    parts: [
      { code },
      {
        says: `Enter it on ${accountPageUrl}, in the browser where you requested it. It works for ${minutes} minutes.`,
      },
      { says: `It changes the owner’s email address for the account ${id} to this one.` },
      { says: 'Do not share it with anyone, including your agent.' },
      { adds: 'If you did not request it, ignore this email. Nothing changes without the code.' },
    ],
  }),
}

const notAsked =
  'If you did not request it, someone opened the link to this account. They cannot continue without the code, so you do not need to do anything. If this keeps happening, revoke the keys of the agent that has the link.'
