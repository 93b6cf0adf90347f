import { findVisit } from '../accounts/sign-in/owner-links.ts'
import { findOwnerSession } from '../accounts/sign-in/sessions.ts'
import { readCookie } from '../web-pages/cookies.ts'
import { isSecure } from '../web-pages/server.ts'
import type { OwnerParts, OwnerRoute } from './route.ts'

export type RecognisedOwner = Awaited<ReturnType<typeof recogniseOwner>>

/** Who is there, by what the browser holds. An API key says nothing here. */
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

/** What a form's token is made from: the session where there is one, else the visit. */
export const ownerSessionOf = ({ needs }: Pick<OwnerRoute, 'needs'>, { session, visit }: RecognisedOwner): string =>
  (needs === 'visit' ? visit?.token : undefined) ?? session?.token ?? visit?.token ?? ''

export const isAdmitted = ({ needs }: OwnerRoute, { session, visit }: RecognisedOwner): boolean =>
  needs === 'nothing' || (needs === 'visit' ? visit !== null : session !== null)
