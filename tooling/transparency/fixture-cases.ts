import { jcs, noteSigner } from './test-keys.ts'
import { TestLog } from './test-log.ts'
import {
  entryOf,
  keysDocument,
  newLog,
  postProof,
  site,
  type TestPost,
  testKeys,
  testPost,
  testSalt,
  verifiedAt,
} from './test-posts.ts'

/** A post with what a verifier reads beside it. */
export type FixtureCase = {
  name: string
  /** What is special, or what the forger did. */
  about: string
  post: string
  proof: string
  /** The checkpoint of an earlier visit. */
  lastVisit?: string
  /** The log that the verifier reads. Default: `log`. */
  log?: 'log' | 'forked-log'
  /** The first check that fails, and why. */
  fails?: { check: string; code: string }
}

const old = '2026-10-20T00:00:00.000Z'
const pretty = (post: object) => `${JSON.stringify(post, null, 2)}\n`
const escaped = (post: object) =>
  JSON.stringify(post).replaceAll(/[^\p{ASCII}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )

type GenuinePost = {
  name: string
  about: string
  post: TestPost
  type?: 'edit'
  write?: (post: object) => string
}

/** The eight genuine posts, of the site with this address. */
const genuinePosts = (siteUrl: string): GenuinePost[] => {
  const postOf = (number: number, options: Parameters<typeof testPost>[1] = {}) =>
    testPost(number, { ...options, siteUrl })
  return [
    { name: 'first-entry', about: 'The first entry of the log.', post: postOf(1) },
    {
      name: 'many-scripts',
      about: 'Text in several scripts, written with escapes.',
      post: postOf(2, { content: { text: 'Fähre 渡し船 مركب 🚢 \u{1d306} e\u0301' } }),
      write: escaped,
    },
    { name: 'edited', about: 'The entry is of an edit.', post: postOf(3, { isEdited: true }), type: 'edit' },
    {
      name: 'former-key',
      about: 'Signed by a key that was valid then and is not any more.',
      post: postOf(4, { key: testKeys.oldPosts, at: old }),
    },
    {
      name: 'numbers',
      about: 'Numbers whose canonical form differs from how they are written.',
      post: postOf(5, { content: { price: { amount: 4.5, currency: 'EUR' }, lat: -0.0000033, big: 1e21, n: 100 } }),
      write: (post) => pretty(post).replace('4.5', '4.50').replace('1e+21', '1000e18').replace('"n": 100', '"n": 1e2'),
    },
    {
      name: 'sorted-by-units',
      about: 'Names that other orders would sort differently, and control characters.',
      post: postOf(6, { content: { '\u20ac': 1, '\ufb33': 2, '\u{1f600}': 3, ö: '\u0000\u001f\u007f\u2028"\\/' } }),
    },
    {
      name: 'pretty',
      about: 'Written with white space and another order of names.',
      post: postOf(7),
      write: reversed,
    },
    { name: 'last-entry', about: 'The last entry of the log, by its current checkpoint.', post: postOf(8) },
  ]
}

function reversed(post: object): string {
  return pretty(Object.fromEntries(Object.entries(post).reverse()))
}

const logSize = 300
/** Where the posts are in the log: some in the full tile, some in the partial one. */
const indexes = [0, 1, 2, 255, 256, 257, 290, 299]

const filler = (index: number) =>
  index % 3 === 0
    ? jcs({ h: testSalt(index).toString('hex'), n: index, t: 'audit', v: 1 })
    : jcs({ c: testSalt(index).toString('base64url'), t: index % 3 === 1 ? 'post' : 'decision', v: 1 })

type LogOptions = { siteUrl?: string; changed?: number }

/** A log with the genuine posts. If `changed` is given, it has another entry at this index. */
export function fixtureLog({ siteUrl = site, changed }: LogOptions = {}): TestLog {
  const log = newLog(siteUrl)
  const posts = genuinePosts(siteUrl)
  for (let index = 0; index < logSize; index++) {
    const number = indexes.indexOf(index)
    const genuine = posts[number]
    if (index === changed) log.append(filler(index + 1_000))
    else log.append(genuine ? entryOf(genuine.post, testSalt(number), genuine.type, log.origin) : filler(index))
  }
  return log
}

/** The size of the log when it first covered an entry. */
const coveringSize = (index: number) => Math.min(logSize, index + 1 + (index % 7))

export function genuineCases(log: TestLog, siteUrl = site): FixtureCase[] {
  return genuinePosts(siteUrl).map(({ name, about, post, write = JSON.stringify }, number) => ({
    name,
    about,
    post: write(post),
    proof: postProof(log, indexes[number]!, testSalt(number), coveringSize(indexes[number]!)),
    ...(number % 3 === 0 && { lastVisit: log.checkpoint(200) }),
  }))
}

const changed = (post: TestPost, more: object): TestPost => ({ ...post, content: { ...post.content, ...more } })

/** Adds the post to the end of a copy of the log, so that only its own fault can be refused. */
const logged = (post: TestPost, log: TestLog): string => {
  const copy = log.copy()
  const index = copy.append(entryOf(post, testSalt(99), 'post', log.origin))
  // A checkpoint of the larger log: the verifier refuses before it compares the two.
  return postProof(copy, index, testSalt(99), log.size + 1)
}

export function forgedCases(log: TestLog, siteUrl = site): FixtureCase[] {
  const [first, , third] = genuinePosts(siteUrl).map(({ post }) => post) as [TestPost, TestPost, TestPost]
  const proofOf = (number: number) => postProof(log, indexes[number]!, testSalt(number), coveringSize(indexes[number]!))
  const forged = testPost(50, { siteUrl, key: testKeys.forger })
  const otherPurpose = testPost(51, { siteUrl, key: testKeys.requests })
  const late = testPost(52, { siteUrl, key: testKeys.oldPosts })
  const size = coveringSize(0)
  const forgedLog = new TestLog(noteSigner(log.origin, testKeys.forger))
  for (const entry of log.entries) forgedLog.append(entry)
  return [
    forgery(
      'changed-text',
      'The text was changed.',
      pretty(changed(first, { text: 'Post 1!' })),
      proofOf(0),
      'signature',
      'signature_wrong',
    ),
    forgery(
      'unpublished-key',
      'Signed by a key that is not published.',
      pretty(forged),
      logged(forged, log),
      'key',
      'key_unknown',
    ),
    forgery(
      'key-of-other-purpose',
      'Signed by a published key that is not for posts.',
      pretty(otherPurpose),
      logged(otherPurpose, log),
      'key',
      'key_other_purpose',
    ),
    forgery(
      'expired-key',
      'Signed after the key had expired.',
      pretty(late),
      logged(late, log),
      'key',
      'key_not_valid_then',
    ),
    forgery(
      'duplicate-name',
      'A second text, which many parsers would show.',
      JSON.stringify(first).replace('"text":', '"text":"Post 1!","text":'),
      proofOf(0),
      'json',
      'json_duplicate_name',
    ),
    forgery(
      'no-signature',
      'The signature was removed.',
      pretty({ ...first, signature: null }),
      proofOf(0),
      'form',
      'unsigned',
    ),
    forgery(
      'proof-of-other-post',
      'The proof is of another post.',
      pretty(first),
      proofOf(1),
      'proof',
      'inclusion_wrong',
    ),
    forgery(
      'log-by-other-key',
      'Another key signed the checkpoint.',
      pretty(first),
      postProof(forgedLog, 0, testSalt(0), size),
      'proof',
      'note_unsigned',
    ),
    {
      ...forgery(
        'forked-log',
        'The log replaced an entry.',
        pretty(third),
        proofOf(2),
        'continuity',
        'not_a_continuation',
      ),
      log: 'forked-log',
    },
    {
      ...forgery(
        'shrunk-log',
        'The log is smaller than at the last visit.',
        pretty(first),
        proofOf(0),
        'continuity',
        'smaller_size',
      ),
      lastVisit: longer(log, 350).checkpoint(),
    },
  ]
}

function longer(log: TestLog, size: number): TestLog {
  const copy = log.copy()
  while (copy.size < size) copy.append(filler(copy.size))
  return copy
}

function forgery(name: string, about: string, post: string, proof: string, check: string, code: string): FixtureCase {
  return { name, about, post, proof, fails: { check, code } }
}

/** The entry that the forked log replaced. It is covered by the proof of the third post. */
export const replacedEntry = 1

/** The log that a verifier of this case reads. */
export const logOf = ({ log }: FixtureCase, siteUrl = site): TestLog =>
  fixtureLog({ siteUrl, ...(log === 'forked-log' && { changed: replacedEntry }) })

export const fixtureFacts = { keys: keysDocument(), verifiedAt: verifiedAt.toISOString() }
