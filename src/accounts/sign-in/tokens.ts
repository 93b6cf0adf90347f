import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** An unguessable browser token; the database stores only its hash. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Whether a text from a browser has the form of a token. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The CSRF token of a form. It is derived from the browser's token, so another site cannot know it. */
export const csrfTokenOf = (token: string): string =>
  createHmac('sha256', token).update('broadside csrf').digest('base64url')

export function isCsrfTokenOf(token: string, given: string): boolean {
  const [expected, sent] = [Buffer.from(csrfTokenOf(token)), Buffer.from(given)]
  return expected.length === sent.length && timingSafeEqual(expected, sent)
}

/** All cookies. Each is set on an origin that serves no posts. */
const names = {
  visit: 'broadside_visit',
  session: 'broadside_owner',
  mailbox: 'broadside_mailbox',
  connect: 'broadside_connect',
  drafts: 'broadside_drafts',
  staff_link: 'broadside_desk_link',
  staff_session: 'broadside_desk',
} as const
export type CookieName = keyof typeof names

/** Over HTTPS the prefix binds a cookie to this host: no other host can set or read it. */
export const cookieName = (name: CookieName, isSecure: boolean) => (isSecure ? `__Host-${names[name]}` : names[name])

/** The token in the cookie. A cookie that is sent twice is ignored, because the second could come from an attacker. */
export function readCookie(header: string | undefined, name: CookieName, isSecure: boolean): string | null {
  const wanted = `${cookieName(name, isSecure)}=`
  const values = (header ?? '').split(/;\s*/).filter((pair) => pair.startsWith(wanted))
  const [value = ''] = values.map((pair) => pair.slice(wanted.length))
  return values.length === 1 && isToken(value) ? value : null
}
