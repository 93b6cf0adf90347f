import { findVisit } from '../accounts/sign-in/owner-links.ts'
import { findOwnerSession } from '../accounts/sign-in/sessions.ts'
import { readCookie } from '../web-pages/cookies.ts'
import { isSecure } from '../web-pages/server.ts'
import type { OwnerParts, OwnerRoute } from './route.ts'

export type RecognisedOwner = Awaited<ReturnType<typeof recogniseOwner>>

/** Identifies the owner from the browser's cookies. API keys are not accepted here. */
export async function recogniseOwner({ db, clock, accountPageUrl }: OwnerParts, cookies: string | undefined) {
  const at = clock.now()
  const secure = isSecure(accountPageUrl)
  const [visitToken, sessionToken] = [readCookie(cookies, 'visit', secure), readCookie(cookies, 'session', secure)]
  const session = sessionToken ? await findOwnerSession(db, sessionToken, at) : undefined
  return {
    session: session ?? null,
    visit: visitToken ? await findVisit(db, visitToken, at) : null,
  }
}

/**
 * The token that a form's CSRF token derives from. Routes that need a visit prefer its token; others prefer the
 * session's.
 */
export const ownerSessionOf = ({ needs }: Pick<OwnerRoute, 'needs'>, { session, visit }: RecognisedOwner): string =>
  (needs === 'visit' ? visit?.token : undefined) ?? session?.token ?? visit?.token ?? ''

export const isAdmitted = ({ needs }: OwnerRoute, { session, visit }: RecognisedOwner): boolean =>
  needs === 'nothing' || (needs === 'visit' ? visit !== null : session !== null)
