import type { IncomingHttpHeaders } from 'node:http'
import { isCsrfTokenOf } from '../accounts/sign-in/tokens.ts'

type Sent = {
  /** The session or visit token that the CSRF token derives from; empty if the browser has none. */
  holder: string
  given: unknown
  /** False for actions that anyone can take, because another site would gain nothing by forging them. */
  needsToken: boolean
}

/**
 * Whether a page of this origin sent the form. Checks the browser's headers and a token that only pages of this origin
 * contain.
 */
export function isSameOriginForm(
  headers: IncomingHttpHeaders,
  ownUrl: string,
  { holder, given, needsToken }: Sent,
): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') return false
  // Browsers send the origin `null` with forms from a page whose referrer policy is no-referrer.
  if (origin !== undefined && origin !== 'null' && origin !== new URL(ownUrl).origin) return false
  if (!needsToken) return true
  return typeof given === 'string' && holder !== '' && isCsrfTokenOf(holder, given)
}
