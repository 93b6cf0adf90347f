import { html } from '../markup/html.ts'
import type { Database } from '../platform/database.ts'
import { type Mailer, MailFault } from '../platform/mailer.ts'
import { disabledAfterMs } from './rules.ts'

type Told = { db: Database; mailer: Mailer; accountPageUrl: string; webhookId: string }

/** Tells the owner that an endpoint was turned off. Ends quietly when it is on again, or gone. */
export async function tellOfDisabled({ db, mailer, accountPageUrl, webhookId }: Told): Promise<void> {
  const found = await db
    .selectFrom('webhooks')
    .innerJoin('accounts', 'accounts.id', 'webhooks.account_id')
    .select(['accounts.email', 'accounts.name', 'webhooks.url', 'webhooks.disabled_at', 'webhooks.failing_since'])
    .where('webhooks.id', '=', webhookId)
    .where('webhooks.disabled_because', '=', 'failing')
    .where('webhooks.deleted_at', 'is', null)
    .where('accounts.standing', '<>', 'closed')
    .executeTakeFirst()
  if (!found?.disabled_at) return
  const days = disabledAfterMs / 86_400_000
  const sentences = [
    `The account “${found.name}” has a webhook endpoint that answered none of our deliveries with success since ${toDay(found.failing_since)}. After ${days} days of that we have turned it off.`,
    'Nothing is lost: events are kept for 30 days and can be replayed.',
    `When the endpoint works again, send it a test with POST /v1/webhooks/${webhookId}/test. If that is answered with 2xx the endpoint is on again, and POST /v1/webhooks/${webhookId}/replay sends what it has missed.`,
  ]
  const mail = {
    to: found.email,
    subject: 'A webhook endpoint of your account was turned off',
    text: [...sentences.slice(0, 1), `The endpoint: ${found.url}`, ...sentences.slice(1)].join('\n\n'),
    html: page(sentences, found.url),
    messageId: `<${webhookId}.${found.disabled_at.getTime()}@${new URL(accountPageUrl).hostname}>`,
  }
  await mailer.send(mail).catch((error) => {
    // The server will not take it tomorrow either: the address is not one.
    if (!(error instanceof MailFault && Number(error.status) >= 500)) throw error
  })
}

const toDay = (at: Date | null) => at?.toISOString().slice(0, 10) ?? 'long ago'

function page([what = '', ...then]: readonly string[], url: string): string {
  const paragraphs = then.map((text) => html`<p>${text}</p>`)
  return String(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A webhook endpoint was turned off</title></head>
<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 36em; margin: 2em auto; padding: 0 1em">
<p>${what}</p>
<p>The endpoint: <code>${url}</code></p>
!${paragraphs}
</body></html>`)
}
