import { mayDo } from '../staff/roles.ts'
import { findStaffSession } from '../staff/sessions.ts'
import { readCookie } from '../web-pages/cookies.ts'
import { isSecure } from '../web-pages/server.ts'
import type { DeskAccess, DeskParts, StaffAccess } from './route.ts'

/** Who is there, by what the browser holds. An owner's session and an API key say nothing here. */
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

/** What a form's token is made from. */
export const staffSessionOf = ({ session, linkToken }: StaffAccess): string => session?.token ?? linkToken ?? ''

/** What keeps somebody out, if anything does: that they are nobody here, or that their role is too low. */
export function obstacleOf(needs: DeskAccess, { session }: StaffAccess): 'unknown' | 'role' | null {
  if (needs === 'nothing') return null
  if (!session) return 'unknown'
  return mayDo(session.member.role, needs) ? null : 'role'
}
