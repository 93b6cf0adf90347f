import { findMailboxVisit } from '../accounts/mailbox-sign-in/mailbox-codes.ts'
import { findVisit } from '../accounts/sign-in/owner-links.ts'
import { findOwnerSession } from '../accounts/sign-in/sessions.ts'
import type { CookieName } from '../accounts/sign-in/tokens.ts'
import { findDraftVisit } from '../drafts/draft-links.ts'
import { findRequest } from '../oauth/requests.ts'
import { readCookie } from '../web-pages/cookies.ts'
import { isSecure } from '../web-pages/server.ts'
import type { OwnerParts, OwnerRoute } from './route.ts'

export type RecognisedOwner = Awaited<ReturnType<typeof recogniseOwner>>

/** Identifies the owner from the browser's cookies. API keys are not accepted here. */
export async function recogniseOwner({ db, clock, accountPageUrl }: OwnerParts, cookies: string | undefined) {
  const at = clock.now()
  const secure = isSecure(accountPageUrl)
  const find = async <Found>(name: CookieName, search: (token: string) => Promise<Found>) => {
    const token = readCookie(cookies, name, secure)
    return token ? search(token) : null
  }
  return {
    session: (await find('session', (token) => findOwnerSession(db, token, at))) ?? null,
    visit: await find('visit', (token) => findVisit(db, token, at)),
    mailbox: await find('mailbox', (token) => findMailboxVisit(db, token, at)),
    drafts: await find('drafts', (token) => findDraftVisit(db, token, at)),
    connecting: await find('connect', (id) => findRequest(db, id, at)),
  }
}

/**
 * The token that a form's CSRF token derives from. Routes prefer the token of what they need; those for drafts accept
 * only the link's.
 */
export function ownerSessionOf({ needs }: Pick<OwnerRoute, 'needs'>, who: RecognisedOwner): string {
  const { session, visit, mailbox, drafts } = who
  if (needs === 'drafts') return drafts?.token ?? ''
  const own = { nothing: null, session, visit, mailbox }[needs]
  return (own ?? session ?? visit)?.token ?? ''
}

export const isAdmitted = ({ needs }: OwnerRoute, who: RecognisedOwner): boolean =>
  needs === 'nothing' || who[needs] !== null
