import type { FastifyRequest } from 'fastify'
import { findSession } from '../accounts/sign-in/session.ts'
import { isCsrfTokenOf } from '../accounts/sign-in/token.ts'
import { findVisit } from '../accounts/sign-in/visit.ts'
import { readCookie } from './cookies.ts'
import type { Needs, OwnerParts, Route } from './route.ts'

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

export const isSecure = (accountPageUrl: string) => accountPageUrl.startsWith('https:')

/** What a form's token is made from: the session where there is one, else the visit. */
export const holderOf = ({ needs }: Pick<Route, 'needs'>, { session, visit }: Who): string =>
  (needs === 'visit' ? visit?.token : undefined) ?? session?.token ?? visit?.token ?? ''

export const isAdmitted = ({ needs }: Route, { session, visit }: Who): boolean =>
  needs === 'nothing' || (needs === 'visit' ? visit !== null : session !== null)

/**
 * Whether a page of this very origin sent the form: by the browser's word, and by a token that only such a page has. Who
 * holds nothing has no token, and what anyone may do needs none: there is nothing that another site could borrow.
 */
export function isOwnForm(
  request: FastifyRequest,
  { accountPageUrl }: OwnerParts,
  { needs, holder, given }: { needs: Needs; holder: string; given: unknown },
): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin') return false
  // A page that sends no referrer has its forms come from `null`.
  if (origin !== undefined && origin !== 'null' && origin !== new URL(accountPageUrl).origin) return false
  if (needs === 'nothing') return true
  return typeof given === 'string' && holder !== '' && isCsrfTokenOf(holder, given)
}
