import { ownerPageLink } from '../emails/layout.ts'
import type { OwnerEmails } from '../emails/notify-owner.ts'

/** The email about an agent that waits for the owner. */
export const agentEmails = {
  /** The subject is the key and the time of the check. */
  agent_to_confirm: async (db, { accountId, subject, name, accountPageUrl }) => {
    const [keyId = ''] = subject.split('/')
    const agent = await db
      .selectFrom('agent_keys')
      .select('domain')
      .where('account_id', '=', accountId)
      .where('key_id', '=', keyId)
      .where('state', '=', 'awaiting_owner')
      .executeTakeFirst()
    if (!agent) return null
    return {
      title: `Your agent signs as ${agent.domain}`,
      parts: [
        {
          says: `An agent that uses a key of the account ${name} signs its requests as ${agent.domain}. You can show your posts as published by a verified agent of ${agent.domain}.`,
        },
        { adds: 'Confirm or decline this on the owner page. Nothing changes until you do.' },
        ownerPageLink(accountPageUrl),
      ],
    }
  },
} satisfies OwnerEmails
