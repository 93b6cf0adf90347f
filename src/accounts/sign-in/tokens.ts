import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** What a browser holds: nobody can guess it, and the database has only its hash. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** What a form must send back. It follows from what the browser holds, so another site cannot know it. */
export const csrfTokenOf = (token: string): string =>
  createHmac('sha256', token).update('broadside csrf').digest('base64url')

export function isCsrfTokenOf(token: string, given: string): boolean {
  const [expected, sent] = [Buffer.from(csrfTokenOf(token)), Buffer.from(given)]
  return expected.length === sent.length && timingSafeEqual(expected, sent)
}

/** Every cookie there is: each lives on an origin that shows no page of a site. */
const names = {
  visit: 'broadside_visit',
  session: 'broadside_owner',
  staff_link: 'broadside_desk_link',
  staff_session: 'broadside_desk',
} as const
export type CookieName = keyof typeof names

/** Over HTTPS the prefix holds a cookie to this very host: no other can set or see it. */
export const cookieName = (name: CookieName, isSecure: boolean) => (isSecure ? `__Host-${names[name]}` : names[name])

/** What the browser holds. One that is sent twice is not believed: the second may be somebody else's. */
export function readCookie(header: string | undefined, name: CookieName, isSecure: boolean): string | null {
  const wanted = `${cookieName(name, isSecure)}=`
  const values = (header ?? '').split(/;\s*/).filter((pair) => pair.startsWith(wanted))
  const [value = ''] = values.map((pair) => pair.slice(wanted.length))
  return values.length === 1 && /^[\w-]{43}$/.test(value) ? value : null
}
