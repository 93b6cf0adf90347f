import { mayDo } from '../staff/roles.ts'
import { findStaffSession } from '../staff/sessions.ts'
import { readCookie } from '../web-pages/cookies.ts'
import { isSecure } from '../web-pages/server.ts'
import type { DeskAccess, DeskParts, StaffAccess } from './route.ts'

/** The signed-in member, from the session cookie. Owner sessions and API keys are not accepted here. */
export async function recogniseStaff(
  { db, clock, deskUrl }: DeskParts,
  cookies: string | undefined,
): Promise<StaffAccess> {
  const secure = isSecure(deskUrl)
  const token = readCookie(cookies, 'staff_session', secure)
  return {
    session: token ? await findStaffSession(db, token, clock.now()) : null,
    linkToken: readCookie(cookies, 'staff_link', secure),
  }
}

/** The secret that form tokens are derived from. */
export const staffSessionOf = ({ session, linkToken }: StaffAccess): string => session?.token ?? linkToken ?? ''

/** Why access is denied, if it is: not signed in, or the role is too low. */
export function obstacleOf(needs: DeskAccess, { session }: StaffAccess): 'unknown' | 'role' | null {
  if (needs === 'nothing') return null
  if (!session) return 'unknown'
  return mayDo(session.member.role, needs) ? null : 'role'
}
