import { type Html, html } from '../../markup/html.ts'
import { badge } from '../../page-door/badge.ts'
import { when } from '../../page-door/when.ts'
import type { readWebhooks } from '../../webhooks/webhook-record.ts'

export type Endpoint = Awaited<ReturnType<typeof readWebhooks>>[number]

export function endpointBadge({ status, failing_since }: Endpoint): Html {
  if (status === 'disabled') return badge('disabled', 'bad')
  return failing_since ? badge('failing', 'warn') : badge('works', 'good')
}

const causes = {
  gone: 'It answered 410, which says that it is gone.',
  failing: 'Nothing was delivered to it for five days.',
} as const

/** What is wrong with an endpoint, and what helps. */
export function endpointNotice({ disabled, failing_since }: Endpoint): Html {
  if (disabled)
    return html`<section class="notice bad" aria-labelledby="disabled"><h2 id="disabled">Disabled since !${when(new Date(disabled.at))}</h2>
<p>${causes[disabled.because]} Its events are kept for 30 days. When your agent sends a test that succeeds, it is enabled again.</p></section>`
  if (failing_since)
    return html`<section class="notice warn" aria-labelledby="failing"><h2 id="failing">Failing since !${when(new Date(failing_since))}</h2>
<p>Each delivery is tried eight times within a day. After five days without a success the endpoint is disabled.</p></section>`
  return ''
}
