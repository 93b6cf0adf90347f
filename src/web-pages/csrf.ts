import type { IncomingHttpHeaders } from 'node:http'
import { isCsrfTokenOf } from '../accounts/sign-in/tokens.ts'

type Sent = {
  /** What the form's token is made from; empty when the browser holds nothing. */
  holder: string
  given: unknown
  /** What anyone may do needs no token: there is nothing that another site could borrow. */
  needsToken: boolean
}

/** Whether a page of this very origin sent the form: by the browser's word, and by a token that only such a page has. */
export function isSameOriginForm(
  headers: IncomingHttpHeaders,
  door: string,
  { holder, given, needsToken }: Sent,
): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') return false
  // A page that sends no referrer has its forms come from `null`.
  if (origin !== undefined && origin !== 'null' && origin !== new URL(door).origin) return false
  if (!needsToken) return true
  return typeof given === 'string' && holder !== '' && isCsrfTokenOf(holder, given)
}
