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
