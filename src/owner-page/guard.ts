import { findVisit } from '../accounts/sign-in/owner-links.ts'
import { findOwnerSession } from '../accounts/sign-in/sessions.ts'
import { findDraftVisit } from '../drafts/draft-links.ts'
import { type CookieName, readCookie } from '../web-pages/cookies.ts'
import { isSecure } from '../web-pages/server.ts'
import type { OwnerParts, OwnerRoute } from './route.ts'

export type RecognisedOwner = Awaited<ReturnType<typeof recogniseOwner>>

/** Identifies the owner from the browser's cookies. API keys are not accepted here. */
export async function recogniseOwner({ db, clock, accountPageUrl }: OwnerParts, cookies: string | undefined) {
  const at = clock.now()
  const secure = isSecure(accountPageUrl)
  const tokenOf = (name: CookieName) => readCookie(cookies, name, secure)
  const [visitToken, sessionToken, draftsToken] = [tokenOf('visit'), tokenOf('session'), tokenOf('drafts')]
  const session = sessionToken ? await findOwnerSession(db, sessionToken, at) : undefined
  return {
    session: session ?? null,
    visit: visitToken ? await findVisit(db, visitToken, at) : null,
    drafts: draftsToken ? await findDraftVisit(db, draftsToken, at) : null,
  }
}

/**
 * The token that a form's CSRF token derives from. Routes that need a visit prefer its token, those that need a link to
 * drafts have only that link's; others prefer the session's.
 */
export function ownerSessionOf({ needs }: Pick<OwnerRoute, 'needs'>, { session, visit, drafts }: RecognisedOwner) {
  if (needs === 'drafts') return drafts?.token ?? ''
  return (needs === 'visit' ? visit?.token : undefined) ?? session?.token ?? visit?.token ?? ''
}

export function isAdmitted({ needs }: OwnerRoute, { session, visit, drafts }: RecognisedOwner): boolean {
  return needs === 'nothing' || { visit, drafts, session }[needs] !== null
}
