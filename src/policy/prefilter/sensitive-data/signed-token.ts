import { inEachPart, type Rule } from '../rule.ts'
import { isPlaceholder } from './placeholder.ts'

export const signedToken: Rule = {
  id: 'signed_token',
  category: 'personal_data',
  summary:
    'A JSON Web Token with its signature. A token without a signature passes, and so does the well-known sample token.',
  find: inEachPart(({ field, text }) => {
    if (!text.matchAll(token).some(({ groups }) => isGenuine(groups ?? {}))) return null
    return `\`${field}\` contains a signed token (JWT). If it is real, revoke it. Remove its signature and submit the post again.`
  }),
}

// Each part has a bound, and a token begins at a word boundary: linear time.
const part = '[\\w-]{10,8000}'
const token = new RegExp(
  `(?<![\\w.-])(?<header>eyJ${part})\\.(?<payload>eyJ${part})\\.(?<signature>[\\w-]{40,1400})`,
  'g',
)

function isGenuine({ header = '', payload = '', signature = '' }: Record<string, string | undefined>): boolean {
  const isSample = read(payload)?.['sub'] === '1234567890'
  return read(header)?.['alg'] !== undefined && read(payload) !== null && !isSample && !isPlaceholder(signature)
}

function read(encoded: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString())
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}
