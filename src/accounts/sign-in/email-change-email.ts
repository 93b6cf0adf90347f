import { ownerPageLink } from '../emails/layout.ts'
import type { OwnerEmails } from '../emails/notify-owner.ts'

/** The email to the old address when the owner asks for a new one. */
export const emailChangeEmails = {
  /** The subject is the code that was sent to the new address. */
  email_change_asked: async (db, { accountId, subject, name, accountPageUrl }) => {
    const code = await db
      .selectFrom('owner_codes')
      .select('email_before')
      .where('id', '=', Number(subject))
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    if (!code?.email_before) return null
    return {
      to: code.email_before,
      title: 'Your email address is about to change',
      parts: [
        {
          says: `Someone who is signed in as the owner of the account ${name} wants to change its email address. We emailed a code to the new address. Once it is entered, this address will no longer give access.`,
        },
        { says: 'If this was you, you do not need to do anything.' },
        {
          says: 'If this was not you, open your account now and sign out everywhere. If you can no longer sign in, reply to this email.',
        },
        ownerPageLink(accountPageUrl),
      ],
    }
  },
} satisfies OwnerEmails
