import { type EmailSender, nameInEmail, sendToOwner } from '../accounts/emails/send.ts'
import { keptFor } from '../contract/retention/periods.ts'
import { shortDay } from '../markup/dates.ts'
import type { Database } from '../platform/database/database.ts'
import { disabledAfterDays } from './delivery-policy.ts'

type DisabledEmail = { db: Database; post: EmailSender; webhookId: string }

/** Tells the owner that an endpoint was disabled. Does nothing if it was enabled again or deleted meanwhile. */
export async function sendWebhookDisabledEmail({ db, post, webhookId }: DisabledEmail): Promise<void> {
  const found = await db
    .selectFrom('webhooks')
    .innerJoin('accounts', 'accounts.id', 'webhooks.account_id')
    .select(['accounts.id', 'accounts.name', 'accounts.email', 'accounts.email_verified_at'])
    .select(['webhooks.url', 'webhooks.disabled_at', 'webhooks.failing_since'])
    .where('webhooks.id', '=', webhookId)
    .where('webhooks.disabled_because', '=', 'failing')
    .where('webhooks.deleted_at', 'is', null)
    .where('accounts.standing', '<>', 'closed')
    .executeTakeFirst()
  if (!found?.disabled_at) return
  await sendToOwner(post, {
    to: found.email,
    subject: 'A webhook endpoint on your account was disabled',
    id: `${webhookId}.${found.disabled_at.getTime()}`,
    parts: [
      {
        says: `The account ${nameInEmail(found)} has a webhook endpoint that has not accepted any delivery since ${toDay(found.failing_since)}. We disabled it after ${disabledAfterDays} days without a successful delivery.`,
      },
      // A URL is a text that the agent chose, like the account's name.
      { shows: found.email_verified_at ? found.url : webhookId, label: 'Endpoint' },
      { says: `Nothing is lost: we keep deliveries for ${keptFor('deliveries')}, and your agent can replay them.` },
      {
        says: 'When the endpoint works again, ask your agent to send it a test event. If the test succeeds, the endpoint is enabled again, and your agent can replay the missed events.',
      },
      { leadsTo: `${post.accountPageUrl}/account/webhooks/${webhookId}`, label: 'View the endpoint' },
    ],
  })
}

const toDay = (at: Date | null) => (at ? shortDay(at) : 'long ago')
