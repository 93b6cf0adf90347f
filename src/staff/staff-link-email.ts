import { renderEmail } from '../accounts/emails/layout.ts'
import { type EmailSender, sendMail } from '../accounts/emails/send.ts'
import { hashToken, newToken } from '../accounts/sign-in/tokens.ts'
import { staffLinkSeconds } from '../contract/limits.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'

type Told = { db: Database; clock: Clock; post: EmailSender; deskUrl: string; linkId: number }

/**
 * Emails a member a passkey link, created at the time of sending. If the email is sent again, only the latest link
 * works.
 */
export async function mailStaffLink({ db, clock, post, deskUrl, linkId }: Told): Promise<void> {
  const at = clock.now()
  const token = newToken()
  const member = await db
    .updateTable('staff_links')
    .from('staff')
    .set({ token_hash: hashToken(token), expires_at: new Date(at.getTime() + staffLinkSeconds * 1_000) })
    .whereRef('staff.id', '=', 'staff_links.staff_id')
    .where('staff_links.id', '=', linkId)
    .where('used_at', 'is', null)
    .where('disabled_at', 'is', null)
    // Does nothing if a newer link was requested, because only that one is valid.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('staff_links as later')
            .select('later.id')
            .whereRef('later.staff_id', '=', 'staff_links.staff_id')
            .whereRef('later.id', '>', 'staff_links.id'),
        ),
      ),
    )
    .returning(['name', 'email', 'role'])
    .executeTakeFirst()
  if (!member) return
  const subject = 'Your link to the Broadside desk'
  const framed = renderEmail({
    title: subject,
    parts: [
      { says: `${member.name}, you have been invited to moderate at Broadside as ${articles[member.role]}.` },
      { says: `This link opens a page where you create a passkey. It works once and expires after ${hours} hours.` },
      { leadsTo: `${deskUrl}/join/${token}`, label: 'Open the desk' },
      { says: 'Open it on the device you will work on. After that, you need only the passkey to sign in there.' },
      {
        adds: 'If you did not expect this email, do not open the link, and tell the operator of this service. Anyone who can read this email could use the link to sign in as you.',
      },
    ],
    foot: `For Broadside’s moderation staff, at ${deskUrl}.`,
  })
  // Each token gets a unique message id: a mail client that drops duplicates might keep the email with the old link.
  const name = `staff-link.${linkId}.${hashToken(token).toString('hex').slice(0, 16)}`
  await sendMail(post, {
    to: member.email,
    subject,
    messageId: `<${name}@${new URL(deskUrl).hostname}>`,
    ...framed,
  })
}

const hours = staffLinkSeconds / 3_600
const articles = { reviewer: 'a reviewer', lead: 'a lead', admin: 'an admin' } as const
