import { jcs, noteSigner, sha256, type TestKey, testKey } from './test-keys.ts'
import { proofFile, TestLog } from './test-log.ts'

export const site = 'https://messages.posts.example'
export const logUrl = 'https://posts.example/log/'

type Signature = { alg: string; key_id: string; created_at: string; value: string }
export type TestPost = {
  id: string
  kind: string
  url: string
  json_url: string
  revision: number
  published_at: string
  edited_at: string | null
  content_trust: string
  author_id: string
  license: object
  content: Record<string, unknown>
  signature: Signature | null
}

export const testKeys = {
  log: testKey(0x00),
  requests: testKey(0x20),
  posts: testKey(0x40),
  oldPosts: testKey(0xa0),
  forger: testKey(0xc0),
}
export const logSigner = noteSigner('posts.example/log', testKeys.log)
/** Signs for the log of a site. The address of a log follows from its name, so a site on a port has one of its own. */
const logSignerOf = (siteUrl: string) =>
  siteUrl === site ? logSigner : noteSigner(`${new URL(siteUrl).host}/log`, testKeys.log)
export const newLog = (siteUrl = site): TestLog => new TestLog(logSignerOf(siteUrl))

export const published = (key: TestKey, more: object = {}) => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x: key.x,
  kid: key.thumbprint,
  use: 'sig',
  alg: 'Ed25519',
  purpose: 'posts',
  valid_from: '2026-11-01T00:00:00.000Z',
  valid_until: null,
  ...more,
})

/** The document of published keys of a site. */
export const keysDocument = (siteUrl = site) => ({
  keys: [
    published(testKeys.posts),
    published(testKeys.oldPosts, { valid_from: '2026-01-01T00:00:00.000Z', valid_until: '2026-11-01T00:00:00.000Z' }),
    published(testKeys.requests, { purpose: 'requests' }),
  ],
  logs: [logSignerOf(siteUrl)].map(({ name, vkey }) => ({
    origin: name,
    url: `${new URL(siteUrl).protocol}//${name}/`,
    vkey,
    state: 'open',
  })),
})

/** A post with the signature of the service. */
export function testPost(
  number: number,
  { content = {}, key = testKeys.posts, at, isEdited = false, siteUrl = site, ...more }: PostOptions = {},
): TestPost {
  const id = `post_01jcmzq8e5f7r9t2v4x6y8z${String(number).padStart(3, '0')}`
  const publishedAt = at ?? new Date(Date.UTC(2026, 10, 16, 0, 0, number)).toISOString()
  const written = { text: `Post ${number}`, topics: ['ferries'], language: 'en', ...content }
  const post = {
    id,
    kind: 'message',
    url: `${siteUrl}/p/${id}`,
    json_url: `${siteUrl}/p/${id}.json`,
    revision: isEdited ? 2 : 1,
    published_at: publishedAt,
    edited_at: isEdited ? publishedAt : null,
    content_trust: 'untrusted',
    author_id: 'acct_01jcmzq8e5f7r9t2v4x6y8z0ab',
    license: { id: 'CC-BY-4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
    content: { ...written, author: { name: 'Harbour watch' }, attribution: 'Harbour watch, CC BY 4.0' },
    ...more,
  }
  return signPost(post, key, publishedAt)
}

type PostOptions = {
  content?: object
  key?: TestKey
  at?: string
  isEdited?: boolean
  siteUrl?: string
}

type Unsigned = Omit<TestPost, 'signature'>

/** What the service signs. */
export function signedPart({ id, kind, revision, published_at, license, content }: Unsigned) {
  const { author: _, attribution: __, ...written } = content
  return { id, kind, revision, published_at, license, content: written }
}

export function signPost(post: Unsigned, key: TestKey, at: string): TestPost {
  const value = key.sign(jcs(signedPart(post))).toString('base64url')
  return { ...post, signature: { alg: 'Ed25519', key_id: key.thumbprint, created_at: at, value } }
}

/** A salt that tests can repeat. */
export const testSalt = (number: number): Buffer => sha256(`salt ${number}`)

/** The entry of a post in the log. `prefix` is the log's origin. */
export function entryOf(post: TestPost, salt: Buffer, type: 'post' | 'edit' = 'post', prefix = logSigner.name): string {
  const logged = jcs({ ...signedPart(post), signature: post.signature })
  return jcs({ c: sha256(`${prefix}/commit/v1\n`, salt, logged).toString('base64url'), t: type, v: 1 })
}

/** The proof of an entry by a checkpoint of this size. */
export const postProof = (log: TestLog, index: number, salt: Buffer, size = log.size): string =>
  proofFile({ salt, index, hashes: log.inclusionProof(index, size), checkpoint: log.checkpoint(size) })

/** When the tests verify. */
export const verifiedAt = new Date('2026-11-18T00:00:00Z')
