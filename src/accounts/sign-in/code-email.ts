import { ownerCodes } from '../../contract/limits.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Sealing } from '../../platform/sealing.ts'
import type { EmailPart } from '../emails/layout.ts'
import { type EmailSender, quoteName, sendToOwner } from '../emails/send.ts'
import { readCode } from './codes.ts'

type CodeEmail = { db: Database; clock: Clock; sealing: Sealing; post: EmailSender; codeId: number }

/** Mails six digits. Ends quietly when they open nothing any more. */
export async function mailCode({ db, clock, sealing, post, codeId }: CodeEmail): Promise<void> {
  const found = await readCode(db, sealing, { id: codeId, at: clock.now() })
  if (!found) return
  const account = await db
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', found.accountId)
    .where('standing', '<>', 'closed')
    .executeTakeFirst()
  if (!account) return
  const { subject, parts } = texts[found.purpose]({ ...found, name: quoteName(account.name), ...post })
  await sendToOwner(post, { to: found.email, subject, id: `code.${codeId}`, parts })
}

type Facts = { code: string; name: string; accountPageUrl: string }

const minutes = ownerCodes.lifeSeconds / 60

// The code is not in the subject: mail servers write subjects into their logs. It stands first in the text, so the
// preview of a mail program shows it all the same.
const texts: Record<'sign_in' | 'change_email', (facts: Facts) => { subject: string; parts: EmailPart[] }> = {
  sign_in: ({ code, name, accountPageUrl }) => ({
    subject: 'Your code for the owner page',
    parts: [
      { code },
      {
        says: `Enter it on ${accountPageUrl}, in the browser where you asked for it. It works for ${minutes} minutes.`,
      },
      { says: `It signs you in as the owner of the account ${name}.` },
      {
        says: 'Give it to nobody: not to your agent, and not to anyone who says that they are from Broadside. Whoever enters it can spend the account’s money and delete the account.',
      },
      { adds: notAsked },
    ],
  }),
  change_email: ({ code, name, accountPageUrl }) => ({
    subject: 'Your code for a new address',
    parts: [
      { code },
      {
        says: `Enter it on ${accountPageUrl}, in the browser where you asked for it. It works for ${minutes} minutes.`,
      },
      { says: `It makes this the address of the owner of the account ${name}.` },
      { says: 'Give it to nobody, not to your agent either.' },
      { adds: 'Did you not ask for it? Then do nothing: without the code nothing changes.' },
    ],
  }),
}

const notAsked =
  'Did you not ask for it? Somebody opened the link of this account, and cannot go on without the code. You need not do anything. If it comes again and again, revoke the keys of the agent that holds the link.'
