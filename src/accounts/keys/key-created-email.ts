import type { KeyScope } from '../../../generated/database-types.ts'
import { ownerPageLink } from '../emails/layout.ts'
import type { OwnerEmails } from '../emails/notify-owner.ts'
import { quoteName } from '../emails/send.ts'

/** The email about a new key. */
export const keyEmails = {
  /** The subject is the key; of an app, also the time, because an app can be connected several times. */
  key_created: async (db, { accountId, subject, name, accountPageUrl }) => {
    const [keyId = '', connectedAt] = subject.split('/')
    const key = await db
      .selectFrom('api_keys')
      .select(['name', 'last4', 'client_host', 'scope', 'scopes', 'created_at'])
      .where('id', '=', keyId)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    if (!key) return null
    const isApp = key.client_host !== null
    const wasConnected = connectedAt !== undefined && connectedAt !== key.created_at.toISOString()
    const appTitle = wasConnected ? 'An app’s access was changed' : 'An app was connected'
    return {
      title: isApp ? appTitle : 'A new API key was created',
      parts: [
        {
          says: isApp
            ? `${appTitle}. It is connected to the account ${name} and can ${holdersMay(key)}.`
            : `The account ${name} has a new API key. With this key an agent can ${holdersMay(key)}.`,
        },
        isApp
          ? { shows: `${quoteName(key.name)}, from ${key.client_host}`, label: 'App' }
          : { shows: `${quoteName(key.name)}, ends in ${key.last4}`, label: 'Key' },
        {
          adds: `If this was not you, open the owner page, ${isApp ? 'disconnect the app' : 'revoke the key'}, and sign out everywhere.`,
        },
        ownerPageLink(accountPageUrl),
      ],
    }
  },
} satisfies OwnerEmails

type Access = { scope: KeyScope; scopes: string[] | null }

/** Searches also cost money with a read-only key. */
function holdersMay({ scope, scopes }: Access): string {
  if (scope === 'full' || scopes?.includes('publish')) return 'post for the account and spend its balance'
  if (scopes?.includes('publish_with_approval')) return 'prepare posts, which you approve before they are charged'
  return 'read the account and search at its cost, but not post'
}
