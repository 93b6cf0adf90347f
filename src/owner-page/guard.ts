import { findSession } from '../accounts/sign-in/session.ts'
import { findVisit } from '../accounts/sign-in/visit.ts'
import { readCookie } from '../page-door/cookies.ts'
import { isSecure } from '../page-door/server.ts'
import type { OwnerParts, Route } from './route.ts'

export type Who = Awaited<ReturnType<typeof recogniseOwner>>

/** Who is there, by what the browser holds. An API key says nothing here. */
export async function recogniseOwner({ db, clock, accountPageUrl }: OwnerParts, cookies: string | undefined) {
  const at = clock.now()
  const secure = isSecure(accountPageUrl)
  const [visitToken, sessionToken] = [readCookie(cookies, 'visit', secure), readCookie(cookies, 'session', secure)]
  const session = sessionToken ? await findSession(db, sessionToken, at) : undefined
  return {
    session: session ?? null,
    visit: visitToken ? await findVisit(db, visitToken, at) : null,
  }
}

/** What a form's token is made from: the session where there is one, else the visit. */
export const holderOf = ({ needs }: Pick<Route, 'needs'>, { session, visit }: Who): string =>
  (needs === 'visit' ? visit?.token : undefined) ?? session?.token ?? visit?.token ?? ''

export const isAdmitted = ({ needs }: Route, { session, visit }: Who): boolean =>
  needs === 'nothing' || (needs === 'visit' ? visit !== null : session !== null)
