import { html } from '../../markup/html.ts'
import { ProviderFault } from '../../platform/payments/provider.ts'
import { showPage } from '../layout.ts'
import type { Asked, Shown } from '../route.ts'

/** Does what needs the payment provider; when it does not answer, says so. Anything else that goes wrong is ours. */
export async function withProvider(asked: Asked<'session', unknown>, act: () => Promise<Shown>): Promise<Shown> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    asked.logger.warn({ error }, 'the payment provider failed')
    return showPage(asked, {
      title: 'The payment provider does not answer',
      section: 'money',
      status: 502,
      content: html`<h1>The payment provider does not answer</h1>
<p>Nothing was charged. This is on our side or the provider’s, not yours: try again in a minute.</p>
<div class="buttons"><a class="button" href="/account/money">Back to money</a></div>`,
    })
  }
}
