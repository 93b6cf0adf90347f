import { badKeys, badPoints, badTimes, type Forgery, forgery, harmless, replaced, shown, text } from './forgery.ts'
import type { Genuine } from './genuine-posts.ts'
import { signPost, site, testKeys } from './test-posts.ts'

const order = 2n ** 252n + 27742317777372353535851937790883648493n

/** What stands for the text of the post, by what is wrong with it first. */
const badTexts: Record<string, readonly string[]> = {
  json_malformed: [
    ...['NaN', '-Infinity', '"渡し船 🚢 \u{1d306}" x', '"a\u0001b"', '"a\\x62"', '"🚢\\u12g4"', '"\\u+123"', '01'],
    ...['1.', '-', '１', 'tru', 'nullnull', '[1,]', '{"a":1,}', '{a:1}', '\u00a01', '"é', '"é\\'],
  ],
  json_duplicate_name: [
    ...['"a","text":"b"', '"a","te\\u0078t":"b"', '"a","text":"\\ud800"', '"a","text":"b",x'],
    '"a","é😀\\u0000":1,"é😀\\u0000":2',
  ],
  json_lone_surrogate: ['"Post\\ud83d"', '"\\ud800","text":"b"', `"\\udc00","n":${'['.repeat(70)}`],
  json_number_changed: [
    ...['9007199254740993', '1e400', '0.30000000000000000004000001', '1e400,"text":1', `0.5${'0'.repeat(398)}`],
  ],
  json_too_deep: [`${'['.repeat(70)}x`, '['.repeat(5_000), `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
}

const badAddresses = (url: string) => [
  ...['', '/p/x', 'data:,x', 'ftp://messages.posts.example/p/x', 'HTTPS://messages.posts.example/p/x', ` ${url}`],
  ...['\n', ' ', '?a=b', '?', '#a', '/', '.json', '.tlog-proof'].map((end) => `${url}${end}`),
  ...[`${site}/v1/posts/post_1`, site, `${site}/`, `${site}//p/x`, `${site}/p/../x`, `${site}/p/./x`, `${site}/p/..`],
  ...[`${site}/p/%41`, `${site}/p/é`, `${site}/p/a b`, `${site}:443/p/x`, `${site}:0/p/x`, `${site}:65536/p/x`],
  ...[`${site}:08443/p/x`, `${site}:/p/x`, `${site}./p/x`, 'https://Messages.posts.example/p/x'],
  ...['http://messages.posts.example@127.0.0.1:1/p/x', 'http://a:b@127.0.0.1:1/p/x', 'https://@posts.example/p/x'],
  ...['https://messages.posts.example\\@127.0.0.1/p/x', 'https:\\\\posts.example\\p\\x', 'https:posts.example/p/x'],
  ...['https://messages.posts\t.example/p/x', 'ht\ntps://posts.example/p/x', 'https:///posts.example/p/x'],
  ...['https://1.2.3/p/x', 'https://0x7f.1/p/x', 'https://2130706433/p/x', 'https://127.0.0.01/p/x', 'https://1/p/x'],
  ...['https://127.0.0.256/p/x', 'https://[::1]/p/x', 'https://[/p/x', 'https://a..b/p/x', 'https://.a/p/x'],
  ...['https://ä.example/p/x', 'https://a%62.example/p/x', `https://${'a'.repeat(64)}.example/p/x`, 'https:///p/x'],
]

const json = (value: object) => Buffer.from(JSON.stringify(value))

/** Posts that two programs could read differently. */
export function forgedJson({ post, source }: Genuine): Forgery[] {
  const [own, end] = [text(source.content['text']), `${text(source.signature?.value)}}}`]
  const inPost = (about: string, from: string, to: string | Buffer, code = 'json_malformed') =>
    forgery(about, 'json', code, { post: replaced(post, from, to) })
  return [
    ...Object.entries(badTexts).flatMap(([code, texts]) =>
      texts.map((bad) => inPost(`the text ${shown(bad)}`, own, bad, code)),
    ),
    inPost('a byte order mark', '{', '\ufeff{'),
    inPost('JSON that ends in a string', end, '"é'),
    inPost('JSON that ends in an escape', end, '"é\\'),
    inPost('JSON that ends too early', end, ''),
    inPost('more after the JSON', end, `${end} 🚢`),
    inPost('another value before the post', '{', '{},{'),
    inPost('a post that is not UTF-8', own, Buffer.from('22ff22', 'hex')),
    inPost('a post with an encoded surrogate', own, Buffer.from('22eda08022', 'hex')),
    ...badAddresses(source.url).map((url) =>
      inPost(`the address ${shown(url)}`, text(source.url), text(url), 'post_malformed'),
    ),
    inPost('an address that is null', text(source.url), 'null', 'post_malformed'),
    forgery('a genuine post at another address', 'json', 'post_at_other_address', { address: `${source.url}x` }),
    inPost('another id than in the address', text(source.id), '"post_other"', 'post_at_other_address'),
  ]
}

/** Signatures of another form, and posts that differ from what was signed. */
export function forgedSignatures({ post, source }: Genuine): Forgery[] {
  const { signature, published_at } = source
  const bytes = Buffer.from(String(signature?.value), 'base64url')
  const withSignature = (about: string, more: object, code = 'signature_malformed') =>
    forgery(about, 'form', code, { post: json({ ...source, signature: { ...signature, ...more } }) })
  const withBytes = (about: string, ...parts: Buffer[]) =>
    withSignature(about, { value: Buffer.concat(parts).toString('base64url') })
  const changed = (about: string, from: string, to: string) =>
    forgery(about, 'signature', 'signature_wrong', { post: replaced(post, from, to) })
  const dated = (field: string, time: string | null, check: string, code: string) =>
    forgery(`${field} ${text(time)}`, check, code, {
      post: replaced(post, `"${field}":${text(published_at)}`, `"${field}":${text(time)}`),
    })
  return [
    forgery('no signature', 'form', 'unsigned', { post: json({ ...source, signature: null }) }),
    withBytes('a signature of 63 bytes', bytes.subarray(0, 63)),
    withBytes('the same signature with S + L', bytes.subarray(0, 32), secondS(bytes.subarray(32))),
    withSignature('another algorithm', { alg: 'none' }),
    withSignature('an unsigned field beside the signature', { comment: 'Verified by experts' }),
    withSignature('a signature with padding', { value: `${signature?.value}==` }, 'base64_not_canonical'),
    withSignature('a signature with other spare bits', { value: nextOf(signature?.value) }, 'base64_not_canonical'),
    ...badPoints.map(({ about, point }) => withBytes(`a signature with R of ${about}`, point, Buffer.alloc(32, 1))),
    ...badTimes.map((time) => withSignature(`signed at ${time}`, { created_at: time })),
    dated('created_at', '2026-11-18T00:05:00.001Z', 'form', 'time_in_future'),
    dated('created_at', '2026-11-18T00:05:00.000Z', 'proof', 'inclusion_wrong'),
    dated('published_at', '2026-11-18T00:05:00.001Z', 'form', 'time_in_future'),
    dated('published_at', '9999-12-31T23:59:59.999999999Z', 'form', 'time_in_future'),
    dated('published_at', '2026-11-18T00:05:00.000Z', 'signature', 'signature_wrong'),
    dated('published_at', '2026-11-18', 'form', 'post_malformed'),
    dated('published_at', null, 'form', 'post_malformed'),
    changed('a changed text', text(source.content['text']), '"Another text"'),
    changed('another revision', '"revision":1', '"revision":2'),
    changed('an added field of the content', '"content":{', '"content":{"pinned":true,'),
    ...['0', '1.5', '"1"', 'null'].map((revision) =>
      forgery(`the revision ${revision}`, 'form', 'post_malformed', {
        post: replaced(post, '"revision":1', `"revision":${revision}`),
      }),
    ),
    forgery('no content', 'form', 'post_malformed', { post: json({ ...source, content: null }) }),
    harmless('an author with another name', { post: replaced(post, '"Harbour watch"', '"Deleted account"') }),
    harmless('a field that nobody signs', { post: replaced(post, '"kind":', '"author_domain":"example.com","kind":') }),
    changed('a number of 400 characters', text(source.content['text']), `0.5${'0'.repeat(397)}`),
  ]
}

function secondS(s: Buffer): Buffer {
  const other = BigInt(`0x${Buffer.from(s).reverse().toString('hex')}`) + order
  return Buffer.from(other.toString(16).padStart(64, '0'), 'hex').reverse()
}

/** The same bytes in base64, if the bits at the end do not count. */
const nextOf = (value = '') => `${value.slice(0, -1)}${String.fromCharCode(value.charCodeAt(value.length - 1) + 1)}`

/** Keys that did not sign, or may not. */
export function forgedKeys({ keys, source }: Genuine): Forgery[] {
  const [key] = JSON.parse(String(keys)).keys
  const { signature: _, ...unsigned } = source
  const inKeys = (about: string, code: string, from: string, to: string) =>
    forgery(about, 'key', code, { keys: replaced(keys, from, to) })
  const later = source.published_at.replace('000Z', '0009Z')
  const validFrom = (time: string) => [key.valid_from, time] as const
  return [
    forgery('a key that is not published', 'key', 'key_unknown', {
      post: json(signPost(unsigned, testKeys.forger, source.published_at)),
    }),
    inKeys('a key of another purpose', 'key_other_purpose', '"purpose":"posts"', '"purpose":"requests"'),
    inKeys('a key under the identifier of another', 'key_thumbprint', key.x, testKeys.forger.x),
    ...badKeys.map(({ about, point, code }) => inKeys(`a key of ${about}`, code, key.x, point.toString('base64url'))),
    ...badTimes.map((time) => inKeys(`a key that is valid from ${time}`, 'key_not_valid_then', ...validFrom(time))),
    inKeys('a key that became valid later', 'key_not_valid_then', ...validFrom(later.replace('0009Z', '001Z'))),
    harmless('a key that became valid less than a millisecond later', { keys: replaced(keys, ...validFrom(later)) }),
    inKeys('a key that had expired', 'key_not_valid_then', ':null', `:${text(source.published_at)}`),
    inKeys('a key without an end of its validity', 'key_not_valid_then', ',"valid_until":null', ''),
  ]
}
