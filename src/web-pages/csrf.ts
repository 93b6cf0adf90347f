import type { IncomingHttpHeaders } from 'node:http'
import { isCsrfTokenOf } from '../accounts/sign-in/tokens.ts'

type Sent = {
  /** The token that the CSRF token derives from; empty if the browser has none. */
  holder: string
  given: unknown
  /** Actions that anyone can take need no token: another site could gain nothing. */
  needsToken: boolean
}

/**
 * Whether a page of this origin sent the form: checked by the browser's headers and by a token that only such a page
 * has.
 */
export function isSameOriginForm(
  headers: IncomingHttpHeaders,
  ownUrl: string,
  { holder, given, needsToken }: Sent,
): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') return false
  // Forms of a page without a referrer have the origin `null`.
  if (origin !== undefined && origin !== 'null' && origin !== new URL(ownUrl).origin) return false
  if (!needsToken) return true
  return typeof given === 'string' && holder !== '' && isCsrfTokenOf(holder, given)
}
