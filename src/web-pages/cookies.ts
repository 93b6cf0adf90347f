import { type CookieName, cookieName } from '../accounts/sign-in/tokens.ts'
import { mailboxProofSeconds, oauthSeconds } from '../contract/app-limits.ts'
import { ownerLinkSeconds, ownerSession, staffLinkSeconds, staffSession } from '../contract/limits.ts'

export { type CookieName, readCookie } from '../accounts/sign-in/tokens.ts'

/** New cookie values by name; null deletes the cookie. */
export type CookieChanges = Partial<Record<CookieName, string | null>>

const lives: Record<CookieName, number> = {
  visit: ownerLinkSeconds,
  session: ownerSession.wholeSeconds,
  mailbox: mailboxProofSeconds,
  connect: oauthSeconds.request,
  // Shorter than the link itself works: the browser may be someone else's, and the link can be opened again.
  drafts: ownerLinkSeconds,
  staff_link: staffLinkSeconds,
  staff_session: staffSession.wholeSeconds,
}

/** The values of the Set-Cookie headers. */
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
