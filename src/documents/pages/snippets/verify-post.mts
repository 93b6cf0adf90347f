import { createPublicKey, verify, type webcrypto } from 'node:crypto'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type Key = webcrypto.JsonWebKey & { kid: string; purpose: string; valid_from: string; valid_until: string | null }
type Post = {
  [name in 'id' | 'kind' | 'revision' | 'published_at' | 'license']: Json
} & { content: { [name: string]: Json }; signature: { key_id: string; created_at: string; value: string } }

// RFC 8785: names sorted, no white space.
const canonical = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join(',')}}`
}
const read = async (url: string | URL) => (await fetch(url)).json()

const address = String(process.argv[2])
const { id, kind, revision, published_at, license, content, signature } = (await read(`${address}.json`)) as Post
// The name of the author can change later, so it is not signed.
const { author: _, attribution: __, language_source: ___, ...written } = content
const signed = { id, kind, revision, published_at, license, content: written }
const { keys } = (await read(new URL('/.well-known/broadside-keys.json', address))) as { keys: Key[] }
const signedAt = Date.parse(signature.created_at)
const key = keys.find(
  ({ kid, purpose, valid_from, valid_until }) =>
    kid === signature.key_id &&
    purpose === 'posts' &&
    Date.parse(valid_from) <= signedAt &&
    signedAt < Date.parse(valid_until ?? '9999-12-31'),
)
if (!key) throw new Error('The key is not published for that time.')
const publicKey = createPublicKey({ key, format: 'jwk' })
const value = Buffer.from(signature.value, 'base64url')
process.stdout.write(`${verify(null, Buffer.from(canonical(signed)), publicKey, value)}\n`)
