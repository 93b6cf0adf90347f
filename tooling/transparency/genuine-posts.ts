import { jcs } from './test-keys.ts'
import { proofFile, type TestLog } from './test-log.ts'
import { entryOf, keysDocument, newLog, site, type TestPost, testKeys, testPost, testSalt } from './test-posts.ts'

/** What a verifier reads for one post, as it is served. */
export type Served = {
  post: Buffer
  proof: Buffer
  keys: Buffer
  /** A file of the log, by its path below the address of the log. */
  file: (path: string) => Buffer | undefined
  /** The checkpoint that the reader saw at an earlier visit. */
  lastVisit?: string
  /** The names of the logs that the site had at an earlier visit. */
  seenLogs?: readonly string[]
  /** The address at which the reader found the post, if that is not the one in the post. */
  address?: string
}

/** A genuine post, with what it was made from. */
export type Genuine = Served & {
  about: string
  source: TestPost
  log: TestLog
  index: number
  salt: Buffer
  /** The size of the log that the proof leads to. */
  covering: number
}

type Written = { about: string; post: TestPost; type?: 'edit'; write?: (post: object) => string }

const pretty = (post: object) => `${JSON.stringify(post, null, 2)}\n`
const escaped = (post: object) =>
  JSON.stringify(post).replaceAll(/[^\p{ASCII}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )

function writtenPosts(siteUrl: string): Written[] {
  const postOf = (number: number, options: Parameters<typeof testPost>[1] = {}) =>
    testPost(number, { ...options, siteUrl })
  const numbers = { price: { amount: 4.5, currency: 'EUR' }, lat: -0.0000033, big: 1e21, n: 100 }
  const names = { '\u20ac': 1, '\ufb33': 2, '\u{1f600}': 3, ö: '\u0000\u001f\u007f\u2028"\\/' }
  const old = { key: testKeys.oldPosts, at: '2026-10-20T00:00:00.000Z' }
  return [
    { about: 'the first entry of the log', post: postOf(1) },
    {
      about: 'text in several scripts, written with escapes',
      post: postOf(2, { content: { text: 'Fähre 渡し船 مركب 🚢 \u{1d306} e\u0301' } }),
      write: escaped,
    },
    { about: 'an ordinary post', post: postOf(3) },
    { about: 'an edit', post: postOf(4, { isEdited: true }), type: 'edit' },
    { about: 'a key that was valid then and is not any more', post: postOf(5, old) },
    {
      about: 'numbers whose canonical form differs from how they are written',
      post: postOf(6, { content: numbers }),
      write: (post) => pretty(post).replace('4.5', '4.50').replace('1e+21', '1000e18').replace('"n": 100', '"n": 1e2'),
    },
    { about: 'names that other orders would sort differently', post: postOf(7, { content: names }) },
    {
      about: 'white space and another order of names, in the last entry of the log',
      post: postOf(8),
      write: (post) => pretty(Object.fromEntries(Object.entries(post).reverse())),
    },
  ]
}

/** Above 512 entries, proofs of consistency need tiles of two levels. */
const logSize = 600
/** Where the posts are in the log: in full tiles and in the partial one. */
const indexes = [0, 1, 100, 255, 256, 257, 590, 599]

/** An entry of the log that is no post's. */
export const someEntry = (index: number): string =>
  jcs({ h: testSalt(index).toString('hex'), n: index, t: 'audit', v: 1 })

/** Genuine posts of the site with this address, all in one log. */
export function genuinePosts(siteUrl = site): Genuine[] {
  const log = newLog(siteUrl)
  const posts = writtenPosts(siteUrl)
  for (let index = 0; index < logSize; index++) {
    const number = indexes.indexOf(index)
    const written = posts[number]
    log.append(written ? entryOf(written.post, testSalt(number), written.type, log.origin) : someEntry(index))
  }
  const keys = Buffer.from(JSON.stringify(keysDocument(siteUrl)))
  return posts.map(({ about, post, write = JSON.stringify }, number) => {
    const index = indexes[number] ?? 0
    const covering = Math.min(logSize, index + 1 + (index % 7))
    const hashes = log.inclusionProof(index, covering)
    const proof = proofFile({ salt: testSalt(number), index, hashes, checkpoint: log.checkpoint(covering) })
    return {
      ...{ about, source: post, log, index, salt: testSalt(number), covering },
      ...{ post: Buffer.from(write(post)), proof: Buffer.from(proof), keys, file: (path) => log.file(path) },
      ...(number % 2 === 0 && { lastVisit: log.checkpoint(logSize / 2) }),
    }
  })
}

/** The one that forgers change. */
export const ordinaryPost = (siteUrl = site): Genuine => genuinePosts(siteUrl)[2] as Genuine
