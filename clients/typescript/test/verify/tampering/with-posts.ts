import { testKey } from '../../../../../tooling/transparency/test-keys.ts'
import {
  entryOf,
  newLog,
  postProof,
  published,
  signPost,
  type TestPost,
  testKeys,
  testSalt,
} from '../../../../../tooling/transparency/test-posts.ts'
import type { RefusalCode } from '../../../src/verify/index.ts'
import type { Genuine } from './genuine.ts'

/** One way to deceive a verifier. `refusal` is its number in the list of what a verifier must refuse. */
export type Tampering = {
  refusal?: number
  name: string
  /** The first check that fails, and why. */
  check: string
  code: RefusalCode
  tamper: (genuine: Genuine) => void
}

const order = 2n ** 252n + 27742317777372353535851937790883648493n

const rewrite = (genuine: Genuine, from: string, to: string) => {
  genuine.postText = genuine.postText.replace(from, to)
}
const withSignature = (genuine: Genuine, more: object) => {
  genuine.postText = JSON.stringify({ ...genuine.post, signature: { ...genuine.post.signature, ...more } })
}
const signatureBytes = ({ post }: Genuine) => Buffer.from(String(post.signature?.value), 'base64url')
const keyOf = ({ keys }: Genuine) => keys.keys[0] as Record<string, unknown>

/** Signs another version of the post, as if the service had published it. */
function republish(genuine: Genuine, change: (post: Omit<TestPost, 'signature'>) => object, key = testKeys.posts) {
  const { signature, ...post } = genuine.post
  const signed = signPost(change(post) as TestPost, key, String(signature?.created_at))
  const log = newLog()
  const index = log.append(entryOf(signed, testSalt(5)))
  genuine.postText = JSON.stringify(signed)
  genuine.proofBytes = Buffer.from(postProof(log, index, testSalt(5)))
}

const secondS = (value: Buffer): Buffer => {
  const s = BigInt(`0x${Buffer.from(value.subarray(32)).reverse().toString('hex')}`) + order
  return Buffer.concat([value.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()])
}

/** A key that verifies every message, if the signature begins with a point of small order as well. */
const smallOrderKey = Buffer.concat([Buffer.of(1), Buffer.alloc(31)])

export const tamperingWithPosts: readonly Tampering[] = [
  {
    refusal: 1,
    name: 'a name twice',
    check: 'json',
    code: 'json_duplicate_name',
    tamper: (genuine) => rewrite(genuine, '"text":', '"text":"Other","text":'),
  },
  {
    refusal: 1,
    name: 'a name twice, once with an escape',
    check: 'json',
    code: 'json_duplicate_name',
    tamper: (genuine) => rewrite(genuine, '"text":', '"te\\u0078t":"Other","text":'),
  },
  {
    refusal: 2,
    name: 'half of a surrogate pair',
    check: 'json',
    code: 'json_lone_surrogate',
    tamper: (genuine) => rewrite(genuine, '"Post 1"', '"Post 1\\ud83d"'),
  },
  {
    refusal: 3,
    name: 'an integer that loses its last digit',
    check: 'json',
    code: 'json_number_changed',
    tamper: (genuine) => rewrite(genuine, '"text":', '"n":9007199254740993,"text":'),
  },
  {
    refusal: 3,
    name: 'a number that becomes infinite',
    check: 'json',
    code: 'json_number_changed',
    tamper: (genuine) => rewrite(genuine, '"text":', '"n":1e400,"text":'),
  },
  {
    refusal: 3,
    name: 'a fraction with too many digits',
    check: 'json',
    code: 'json_number_changed',
    tamper: (genuine) => rewrite(genuine, '"text":', '"n":0.30000000000000004000001,"text":'),
  },
  {
    name: 'text after the JSON',
    check: 'json',
    code: 'json_malformed',
    tamper: (genuine) => rewrite(genuine, '', '{},'),
  },
  {
    name: 'deep nesting',
    check: 'json',
    code: 'json_too_deep',
    tamper: (genuine) => rewrite(genuine, '"Post 1"', `${'['.repeat(5_000)}${']'.repeat(5_000)}`),
  },
  {
    name: 'a genuine post at another address',
    check: 'json',
    code: 'post_at_other_address',
    tamper: (genuine) => {
      genuine.address = 'https://messages.posts.example/p/post_other'
    },
  },
  {
    name: 'no signature',
    check: 'form',
    code: 'unsigned',
    tamper: (genuine) => {
      genuine.postText = JSON.stringify({ ...genuine.post, signature: null })
    },
  },
  {
    refusal: 5,
    name: 'a signature of 63 bytes',
    check: 'form',
    code: 'signature_malformed',
    tamper: (genuine) =>
      withSignature(genuine, { value: signatureBytes(genuine).subarray(0, 63).toString('base64url') }),
  },
  {
    refusal: 5,
    name: 'the same signature with S + L',
    check: 'form',
    code: 'signature_malformed',
    tamper: (genuine) => withSignature(genuine, { value: secondS(signatureBytes(genuine)).toString('base64url') }),
  },
  {
    name: 'another algorithm',
    check: 'form',
    code: 'signature_malformed',
    tamper: (genuine) => withSignature(genuine, { alg: 'none' }),
  },
  {
    name: 'an unsigned field beside the signature',
    check: 'form',
    code: 'signature_malformed',
    tamper: (genuine) => withSignature(genuine, { comment: 'Verified by experts' }),
  },
  {
    refusal: 9,
    name: 'the signature in base64 with padding',
    check: 'form',
    code: 'base64_not_canonical',
    tamper: (genuine) => withSignature(genuine, { value: `${genuine.post.signature?.value}==` }),
  },
  {
    refusal: 9,
    name: 'the signature in base64 with other spare bits',
    check: 'form',
    code: 'base64_not_canonical',
    tamper: (genuine) => {
      const value = String(genuine.post.signature?.value)
      const next = String.fromCharCode(value.charCodeAt(value.length - 1) + 1)
      withSignature(genuine, { value: `${value.slice(0, -1)}${next}` })
    },
  },
  {
    refusal: 6,
    name: 'a published key of small order',
    check: 'key',
    code: 'key_small_order',
    tamper: (genuine) => {
      const weak = { ...testKey(9), publicKey: smallOrderKey, x: smallOrderKey.toString('base64url') }
      genuine.keys.keys.push(published(weak, { kid: weak.thumbprint }))
      withSignature(genuine, { key_id: weak.thumbprint })
    },
  },
  {
    refusal: 7,
    name: 'a key under the identifier of another',
    check: 'key',
    code: 'key_thumbprint',
    tamper: (genuine) => {
      keyOf(genuine)['x'] = testKeys.forger.x
      republish(genuine, (post) => post, { ...testKeys.forger, thumbprint: testKeys.posts.thumbprint })
    },
  },
  {
    refusal: 7,
    name: 'a signature from before its key was valid',
    check: 'key',
    code: 'key_not_valid_then',
    tamper: (genuine) => {
      keyOf(genuine)['valid_from'] = '2026-11-16T00:00:01.001Z'
    },
  },
  {
    refusal: 7,
    name: 'a signature at the end of its key’s validity',
    check: 'key',
    code: 'key_not_valid_then',
    tamper: (genuine) => {
      keyOf(genuine)['valid_until'] = '2026-11-16T00:00:01.000Z'
    },
  },
  {
    refusal: 7,
    name: 'a key without an end of its validity',
    check: 'key',
    code: 'key_not_valid_then',
    tamper: (genuine) => {
      delete keyOf(genuine)['valid_until']
    },
  },
  {
    refusal: 8,
    name: 'a key of another purpose',
    check: 'key',
    code: 'key_other_purpose',
    tamper: (genuine) => {
      keyOf(genuine)['purpose'] = 'requests'
    },
  },
  {
    name: 'a key that is not published',
    check: 'key',
    code: 'key_unknown',
    tamper: (genuine) => republish(genuine, (post) => post, testKeys.forger),
  },
  {
    name: 'a changed text',
    check: 'signature',
    code: 'signature_wrong',
    tamper: (genuine) => rewrite(genuine, '"Post 1"', '"Post 2"'),
  },
  {
    name: 'an added field',
    check: 'signature',
    code: 'signature_wrong',
    tamper: (genuine) => rewrite(genuine, '"kind":', '"pinned":true,"kind":'),
  },
]
