import { type Html, html } from '../../markup/html.ts'
import { ProviderError } from '../../platform/payments/provider.ts'
import { showOwnerPage } from '../layout.ts'
import type { OwnerRequest, Refresh, Shown } from '../route.ts'

/** `stands` tells the owner the current state after the provider has failed. */
type Stand = { stands: string }

/** Runs an action that needs the payment provider, and shows a page if the provider fails. Rethrows other errors. */
export async function withProvider(
  asked: OwnerRequest<'session', unknown>,
  act: () => Promise<Shown>,
  { stands }: Stand = { stands: 'You were not charged.' },
): Promise<Shown> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const mayPass = error.kind === 'unreachable'
    asked.logger[mayPass ? 'warn' : 'error']({ error }, 'payment provider request failed')
    const { title, advice } = mayPass ? noAnswer : refusal(asked)
    return showOwnerPage(asked, {
      title,
      section: 'money',
      status: 502,
      content: html`<h1>${title}</h1>
<p>${stands} !${advice}</p>
<div class="buttons"><a class="button" href="/account/money">Back to money</a></div>`,
    })
  }
}

type Words = { title: string; advice: Html }

const noAnswer: Words = {
  title: 'The payment provider is not responding',
  advice: html`The problem is on our side or the provider’s. Try again in a minute.`,
}

const refusal = ({ operator: { email } }: OwnerRequest<'session', unknown>): Words => ({
  title: 'The payment provider rejected the request',
  advice: html`A retry will not help. Please contact us: <a href="mailto:${email}">${email}</a>`,
})

const askAgainSeconds = 2
/** After this many refreshes, a page stops reloading. */
const maxLooks = 30

/**
 * The next automatic refresh of a page that waits for the provider; null after the last one. The count starts when the
 * browser arrives, so the time spent on the provider's page does not matter.
 */
export function lookAgain(path: string, query: Record<string, string>): Refresh | null {
  const looks = Number(/^\d{1,2}$/.exec(query['looks'] ?? '')?.[0] ?? 0)
  return looks < maxLooks ? { seconds: askAgainSeconds, to: `${path}?looks=${looks + 1}` } : null
}
