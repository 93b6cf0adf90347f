import type { IncomingHttpHeaders } from 'node:http'

/** Headers in which other services expect a key. */
const otherHeaders = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token', 'x-broadside-key'] as const

/** Says which other header has the key; undefined if none has. Never repeats the value. */
export function otherHeaderWithKey(headers: IncomingHttpHeaders): string | undefined {
  const name = otherHeaders.find((one) => headers[one] !== undefined)
  return name && `The service ignores the header ${name}.`
}

type Sign = { looks: (token: string) => boolean; says: string }

/** What a wrong key looks like, and what to say about it. The first sign that fits counts. */
const signs: readonly Sign[] = [
  { looks: (token) => /^["'`<].*["'`>]$/.test(token), says: 'The key is in quotes or brackets: send it without them.' },
  {
    looks: (token) => /^\$|^\{|^%|your|api.?key|^x{3,}|\*{3}|…|\.\.\.$/i.test(token),
    says: 'This is a placeholder, not a key.',
  },
  { looks: (token) => token.startsWith('whsec_'), says: 'This is a webhook secret, not an API key.' },
  {
    looks: (token) => token.startsWith('bsa_'),
    says: 'This is an access token of an app. It works only at the MCP endpoint for all sites.',
  },
  { looks: (token) => token.startsWith('bsr_'), says: 'This is a refresh token of an app, not an API key.' },
  { looks: (token) => /^(?:key|acct)_/.test(token), says: 'This is an id. The key itself starts with bsk_.' },
  {
    looks: (token) => token.startsWith('bsk_') && token.length !== 53,
    says: 'A key has exactly 53 characters, but this one does not.',
  },
  { looks: (token) => token.startsWith('bsk_'), says: 'The key is mistyped, unknown or revoked.' },
  { looks: (token) => !token.startsWith('bsk_'), says: 'A key starts with bsk_.' },
]

/** Says what is wrong with an Authorization header that did not identify a caller. Never repeats the value. */
export function describeAuthorization(authorization: string): string {
  const [scheme = '', ...rest] = authorization.trim().split(/\s+/)
  if (/^basic$/i.test(scheme)) return 'The header uses Basic.'
  if (/^["'`]?bsk_/.test(scheme)) return 'The word Bearer is missing before the key.'
  if (!/^bearer:?$/i.test(scheme)) return 'The header does not start with Bearer.'
  if (rest.length === 0) return 'There is no key after Bearer.'
  if (rest.length > 1) return 'There is a space in the key, or more than one key.'
  return signs.find(({ looks }) => looks(rest[0] ?? ''))?.says ?? 'The key is not valid.'
}
