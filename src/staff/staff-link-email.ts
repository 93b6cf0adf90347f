import { renderEmail } from '../accounts/emails/layout.ts'
import { type EmailSender, sendMail } from '../accounts/emails/send.ts'
import { hashToken, newToken } from '../accounts/sign-in/tokens.ts'
import { staffLinkSeconds } from '../contract/limits.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'

type Told = { db: Database; clock: Clock; post: EmailSender; deskUrl: string; linkId: number }

/** Mails a member the link for a passkey, made as it is sent. When it is sent again, only the last one works. */
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
    // Another link was asked for since: that one is the member's.
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
      { says: `${member.name}, you are one of the people who decide at Broadside, as ${articles[member.role]}.` },
      { says: `This link leads to a page where you create a passkey. It works for ${hours} hours, once.` },
      { leadsTo: `${deskUrl}/join/${token}`, label: 'Open the desk' },
      { says: 'Open it on the device that you will work with. From then on you sign in there with the passkey alone.' },
      {
        adds: 'Did you not expect this? Then do not open the link, and tell whoever runs this service: with it, anyone who reads this mail could sign in as you.',
      },
    ],
    foot: `For the people who decide what Broadside publishes, at ${deskUrl}.`,
  })
  // Each token has a mail of its own: a program that keeps one of two with the same name might keep the dead one.
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
