import { ownerCodes } from '../../contract/limits.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { type EmailSender, sendToOwner } from '../emails/send.ts'
import { readMailboxCode } from './mailbox-codes.ts'

type CodeEmail = { db: Database; clock: Clock; sealing: Sealing; post: EmailSender; codeId: number }

/** Emails the code that proves a mailbox. The email says nothing that the person who asked for it chose. */
export async function mailMailboxCode({ db, clock, sealing, post, codeId }: CodeEmail): Promise<void> {
  const found = await readMailboxCode(db, sealing, { id: codeId, at: clock.now() })
  if (!found) return
  await sendToOwner(post, {
    to: found.email,
    subject: 'Your Broadside sign-in code',
    id: `mailbox-code.${codeId}`,
    parts: [
      { code: found.code },
      {
        says: `Enter it on ${post.accountPageUrl}, in the browser where you requested it. It works for ${ownerCodes.lifeSeconds / 60} minutes.`,
      },
      { says: 'It signs you in to Broadside, where you can connect an app that publishes posts for you.' },
      {
        says: 'Do not share it with anyone, including an app, your agent or people who claim to be from Broadside. Anyone who enters it can act as the owner of your accounts.',
      },
      { adds: 'If you did not request it, ignore this email. Nothing happens without the code.' },
    ],
  })
}
