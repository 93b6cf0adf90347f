import { type CookieName, cookieName } from '../accounts/sign-in/cookie.ts'
import { ownerLinkSeconds, ownerSession } from '../contract/limits.ts'
import type { CookieChanges } from './route.ts'

export { readCookie } from '../accounts/sign-in/cookie.ts'

const lives = { visit: ownerLinkSeconds, session: ownerSession.wholeSeconds } as const

/** The lines of Set-Cookie. */
export function cookieLines(changes: CookieChanges, isSecure: boolean): string[] {
  return (Object.entries(changes) as [CookieName, string | null][]).map(([name, value]) =>
    [
      `${cookieName(name, isSecure)}=${value ?? ''}`,
      'Path=/',
      `Max-Age=${value === null ? 0 : lives[name]}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(isSecure ? ['Secure'] : []),
    ].join('; '),
  )
}
