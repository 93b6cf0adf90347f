import { type Html, html } from '../../markup/html.ts'
import { ProviderError } from '../../platform/payments/provider.ts'
import { showOwnerPage } from '../layout.ts'
import type { OwnerRequest, Refresh, Shown } from '../route.ts'

/** `stands` is what holds now, though the provider has not done its part. */
type Stand = { stands: string }

/** Does what needs the payment provider; when it does not do it, says so. Anything else that goes wrong is ours. */
export async function withProvider(
  asked: OwnerRequest<'session', unknown>,
  act: () => Promise<Shown>,
  { stands }: Stand = { stands: 'Nothing was charged.' },
): Promise<Shown> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const mayPass = error.kind === 'unreachable'
    asked.logger[mayPass ? 'warn' : 'error']({ error }, 'the payment provider failed')
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
  title: 'The payment provider does not answer',
  advice: html`This is on our side or the provider’s, not yours: try again in a minute.`,
}

function refusal({ baseUrls }: OwnerRequest<'session', unknown>): Words {
  const about = `${Object.values(baseUrls)[0]}/about/`
  return {
    title: 'The payment provider refused',
    advice: html`Trying again does not help; please write to us: <a href="${about}">${about}</a>`,
  }
}

const askAgainSeconds = 2
/** After so many looks a page stops asking by itself: whoever reads it must not be interrupted for ever. */
const maxLooks = 30

/**
 * When a page that waits for the provider is to look again; null when it has looked long enough. It counts from when the
 * browser came: how long somebody was at the provider says nothing.
 */
export function lookAgain(path: string, query: Record<string, string>): Refresh | null {
  const looks = Number(/^\d{1,2}$/.exec(query['looks'] ?? '')?.[0] ?? 0)
  return looks < maxLooks ? { seconds: askAgainSeconds, to: `${path}?looks=${looks + 1}` } : null
}
