import { ownerPageLink } from '../emails/layout.ts'
import type { OwnerEmails } from '../emails/notify-owner.ts'
import { quoteName } from '../emails/send.ts'

/** The email about a new signing key. The subject is its id. */
export const signingKeyEmails = {
  signing_key_added: async (db, { accountId, subject, name, isVerified, accountPageUrl }) => {
    const key = await db
      .selectFrom('author_keys')
      .select(['key_id', 'name'])
      .where('key_id', '=', subject)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    if (!key) return null
    return {
      title: 'A signing key was registered',
      parts: [
        { says: `An agent registered a public key for the account ${name}. Posts that it signs show this key.` },
        {
          shows: key.name === null || !isVerified ? key.key_id : `${quoteName(key.name)}, ${key.key_id}`,
          label: 'Key',
        },
        {
          adds: 'If you did not expect this, open the owner page, remove the signing key, and revoke the API keys that you do not know.',
        },
        ownerPageLink(accountPageUrl),
      ],
    }
  },
} satisfies OwnerEmails
