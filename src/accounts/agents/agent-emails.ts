import { ownerPageLink } from '../emails/layout.ts'
import type { OwnerEmails } from '../emails/notify-owner.ts'
import { preventLinks } from '../emails/send.ts'

/**
 * The email about an agent that waits for the owner. Only for a verified address: whoever creates an account chooses the
 * domain. The overview of the owner page asks the same.
 */
export const agentEmails = {
  /** The subject is the key and the time of the check. */
  agent_to_confirm: async (db, { accountId, subject, name, isVerified, accountPageUrl }) => {
    if (!isVerified) return null
    const [keyId = ''] = subject.split('/')
    const agent = await db
      .selectFrom('agent_keys')
      .select('domain')
      .where('account_id', '=', accountId)
      .where('key_id', '=', keyId)
      .where('state', '=', 'awaiting_owner')
      .executeTakeFirst()
    if (!agent) return null
    const domain = preventLinks(agent.domain)
    return {
      title: `Your agent signs as ${domain}`,
      parts: [
        {
          says: `An agent that uses a key of the account ${name} signs its requests as ${domain}. If you confirm it, your posts say “Verified agent of ${domain}”.`,
        },
        { adds: 'Confirm or decline this on the owner page. Nothing changes until you do.' },
        ownerPageLink(accountPageUrl),
      ],
    }
  },
} satisfies OwnerEmails
