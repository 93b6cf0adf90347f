import { fixtureLog, genuineCases } from './fixture-cases.ts'
import { noteSigner, testKey } from './test-keys.ts'
import { TestLog } from './test-log.ts'
import { cosignedAt, keysDocument, logSigner, logUrl, site, testKeys, testPost, witness } from './test-posts.ts'

/** A genuine post with one part replaced, in a way that two programs could judge differently. */
export type HostileInput = {
  about: string
  /** `checkpoint` is the current one of the log. */
  file: 'post.json' | 'post.tlog-proof' | 'keys.json' | 'checkpoint'
  /** What is replaced, where it first occurs, and by what. */
  from: string
  to: string
  /** The replacement in hexadecimal, if it is not text. `to` is empty then. */
  to_hex?: string
  /** The names of the logs that the site had at an earlier visit. */
  seen_logs?: string[]
  /** The signed checkpoint of the log at an earlier visit. */
  last_visit?: string
  /** The verifier keys of witnesses that must have cosigned. */
  witnesses?: string[]
  /** The identifier of the key that the author must have signed with. */
  author_key?: string
  /** The first check that fails, and why; null if none does. */
  first_failed: string | null
  code: string | null
}

/** The post that all of them change. */
export const hostileFolder = 'genuine/first-entry'
const post = testPost(1)
const keys = keysDocument()
const log = keys.logs[0]!
const tree = fixtureLog()
const proof = String(genuineCases(tree)[0]?.proof)
const checkpoint = tree.checkpoint()

const addresses = [
  ...['', '/p/x', 'data:,x', 'ftp://messages.posts.example/p/x', 'HTTPS://messages.posts.example/p/x', ` ${post.url}`],
  ...[
    `${post.url}\n`,
    `${post.url} `,
    `${post.url}?a=b`,
    `${post.url}?`,
    `${post.url}#a`,
    `${post.url}/`,
    `${post.url}.json`,
    `${post.url}.tlog-proof`,
  ],
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

const point = (first: number, rest: number, last: number) =>
  Buffer.concat([Buffer.of(first), Buffer.alloc(30, rest), Buffer.of(last)])
const badPoints: [string, Buffer][] = [
  ['y = 0', point(0, 0, 0)],
  ['y = 0, with a sign', point(0, 0, 0x80)],
  ['y = 1', point(1, 0, 0)],
  ['y = 1, with a sign', point(1, 0, 0x80)],
  ['y = p - 1', point(0xec, 0xff, 0x7f)],
  ['y = p - 1, with a sign', point(0xec, 0xff, 0xff)],
  ['order 8', Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex')],
  ['order 8, another', Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85', 'hex')],
  ['y = p', point(0xed, 0xff, 0x7f)],
  ['y = p + 1', point(0xee, 0xff, 0x7f)],
  ['y = 2^255 - 1', point(0xff, 0xff, 0xff)],
]
const smallOrder = new Set(['y = 0', 'y = 0, with a sign', 'y = 1', 'y = p - 1', 'order 8', 'order 8, another'])
const badKeys: [string, Buffer][] = [...badPoints, ['no point of the curve', point(2, 0, 0)]]

const text = (value: unknown) => JSON.stringify(value)
/** How `keys.json` is written. */
const listed = (name: 'keys' | 'logs' | 'witnesses') => text({ [name]: keys[name] }).slice(1, -1)
const vkeyOf = (name: string, publicKey: Buffer, type: 1 | 4) =>
  noteSigner(name, { ...testKey(9), publicKey: Buffer.from(publicKey) }, type).vkey

const input = (
  about: string,
  file: HostileInput['file'],
  from: string,
  to: string,
  first_failed: string | null,
  code: string | null,
): HostileInput => ({ about, file, from, to, first_failed, code })

const inKeys = (about: string, from: string, to: string, code: string | null, check: string | null = 'key') =>
  input(about, 'keys.json', from, to, code && check, code)
const times = [
  '2026-02-30T00:00:00.000Z',
  '2026-11-15T24:00:00.000Z',
  '0000-01-01T00:00:00.000Z',
  '2026-11-15T23:59:60Z',
]
const names = ['é', 'a\u00a0b', 'a\u200bb', 'a\u0085b', 'a\u3000']
const logs: [string, string][] = [
  [log.origin, 'https://elsewhere.example/log/'],
  [log.origin, 'https://posts.example/log'],
  [log.origin, 'https://posts.example/log//'],
  [log.origin, 'https://posts.example/log/?/'],
  [log.origin, 'https://messages.posts.example@posts.example/log/'],
  [log.origin, 'ftp://posts.example/log/'],
  [log.origin, 'https://Posts.example/log/'],
  ['x@posts.example/log', 'https://x@posts.example/log/'],
  ['posts.example/../log', 'https://posts.example/../log/'],
  ['posts.example?/log', 'https://posts.example?/log/'],
  ['posts.example/l og', 'https://posts.example/l og/'],
  ['', 'https:///'],
  // Without TLS, anyone between the reader and the log could answer for it.
  [log.origin, `http://${log.origin}/`],
  ['10.0.0.1/log', 'http://10.0.0.1/log/'],
  ['localhost.example/log', 'http://localhost.example/log/'],
  ['127.0.0.1.example/log', 'http://127.0.0.1.example/log/'],
]

/** What stands for the text of the post, and what is wrong with it first. */
const badJson: [string, string, HostileInput['code']][] = [
  ['half of a surrogate pair, then a name twice', '"\\ud800","text":"b"', 'json_lone_surrogate'],
  ['a name twice, then half of a surrogate pair', '"a","text":"\\ud800"', 'json_duplicate_name'],
  ['a name twice, then no JSON', '"a","text":"b",x', 'json_duplicate_name'],
  ['a name twice, with another script', '"a","é😀\\u0000":1,"é😀\\u0000":2', 'json_duplicate_name'],
  ['a number that changes, then a name twice', '1e400,"text":1', 'json_number_changed'],
  ['half of a surrogate pair, then too many levels', `"\\udc00","n":${'['.repeat(70)}`, 'json_lone_surrogate'],
  ['too many levels, then no JSON', `${'['.repeat(70)}x`, 'json_too_deep'],
  ['too many levels without an end', '['.repeat(5_000), 'json_too_deep'],
  ['NaN', 'NaN', 'json_malformed'],
  ['Infinity', '-Infinity', 'json_malformed'],
  ['no JSON after another script', '"渡し船 🚢 \u{1d306}" x', 'json_malformed'],
  ['a control character in a string', '"a\u0001b"', 'json_malformed'],
  ['an escape that does not exist', '"a\\x62"', 'json_malformed'],
  ['an escape of three digits', '"🚢\\u12g4"', 'json_malformed'],
  ['an escape with a sign', '"\\u+123"', 'json_malformed'],
  ['a number with a zero before it', '01', 'json_malformed'],
  ['a number without a fraction', '1.', 'json_malformed'],
  ['a number without digits', '-', 'json_malformed'],
  ['a number in other digits', '１', 'json_malformed'],
  ['half of a word', 'tru', 'json_malformed'],
  ['two words', 'nullnull', 'json_malformed'],
  ['a list that ends with a comma', '[1,]', 'json_malformed'],
  ['an object that ends with a comma', '{"a":1,}', 'json_malformed'],
  ['a name without quotation marks', '{a:1}', 'json_malformed'],
  ['a no-break space', '\u00a01', 'json_malformed'],
]
const end = `${text(post.signature?.value)}}}`
const inPost = (about: string, from: string, to: string, code: HostileInput['code']) =>
  input(about, 'post.json', from, to, 'json', code)
const inProof = (about: string, from: string, to: string, code: HostileInput['code']) =>
  input(about, 'post.tlog-proof', from, to, 'proof', code)
const head = 'c2sp.org/tlog-proof@v1'

/** What two parsers could refuse for different reasons. */
const malformed: readonly HostileInput[] = [
  ...badJson.map(([about, to, code]) => inPost(`JSON with ${about}`, '"Post 1"', to, code)),
  inPost('a byte order mark', '{', '\ufeff{', 'json_malformed'),
  inPost('JSON that ends in a string', end, '"é', 'json_malformed'),
  inPost('JSON that ends in an escape', end, '"é\\', 'json_malformed'),
  inPost('JSON that ends too early', end, '', 'json_malformed'),
  inPost('more after the JSON', end, `${end} 🚢`, 'json_malformed'),
  { ...inPost('a post that is not UTF-8', '"Post 1"', '', 'json_malformed'), to_hex: '22ff22' },
  { ...inPost('a post with an encoded surrogate', '"Post 1"', '', 'json_malformed'), to_hex: '22eda08022' },
  inProof('a proof without a blank line', proof.slice(proof.indexOf('\n\n')), '\n', 'proof_malformed'),
  inProof('a proof without its blank line', '\n\n', '\n', 'base64_not_canonical'),
  inProof('a proof with one line', proof.slice(head.length), '', 'proof_malformed'),
  inProof('an empty proof', proof, '', 'proof_malformed'),
  inProof('a proof of another version', head, 'c2sp.org/tlog-proof@v2', 'proof_malformed'),
  inProof('a web page in place of a proof', head, '<html>é', 'proof_malformed'),
  inProof('a proof without an index', 'index 0\n', '', 'proof_malformed'),
  { ...inProof('a proof that is not UTF-8', 'index', '', 'proof_malformed'), to_hex: 'ff' },
  { ...inProof('a note that is not UTF-8', `— ${log.origin}`, '', 'note_not_text'), to_hex: 'ff' },
  inProof('a proof that is too long', head, `${head}${' '.repeat(140_000)}`, 'proof_malformed'),
  // In UTF-16 it is shorter than in UTF-8.
  inProof('a proof that is too long in bytes', head, `${head}${'é'.repeat(70_000)}`, 'proof_malformed'),
  {
    ...input('a checkpoint that is not UTF-8', 'checkpoint', '—', '', 'continuity', 'note_not_text'),
    to_hex: 'ff',
  },
  input('an empty checkpoint', 'checkpoint', checkpoint, '', 'continuity', 'note_malformed'),
]

const fork = new TestLog(logSigner)
for (const [index, entry] of tree.entries.entries()) fork.append(index === 1 ? '{}' : entry)
const larger = tree.copy()
larger.append('{}')
const small = new TestLog(logSigner)
small.append('{}')
const swapped = new TestLog(noteSigner(logSigner.name, testKeys.forger, 1))
for (const entry of tree.entries) swapped.append(entry)

const closedWith = (last: unknown) => `"state":"closed","last_checkpoint":${text(last)}`
const closed = (about: string, last: unknown, code: string | null, check: string | null = 'proof') =>
  inKeys(`a log that was closed with ${about}`, '"state":"open"', closedWith(last), code, check)

/** The time of the signature, or of the publication, is replaced. */
const dated = (name: string, time: string | null, check: string, code: string) =>
  input(
    `${name} ${text(time)}`,
    'post.json',
    `"${name}":${text(post.published_at)}`,
    `"${name}":${text(time)}`,
    check,
    code,
  )

const newer = noteSigner('witness.example/w2', testKey(7), 4)
const otherLog = noteSigner('other.example/log', testKeys.log, 1)
const cosigned = (about: string, served: string, check: string | null, code: string | null) => ({
  ...input(
    `a required witness of which the current checkpoint has ${about}`,
    'checkpoint',
    checkpoint,
    served,
    check,
    code,
  ),
  witnesses: [newer.vkey, witness.vkey],
})
const textOfCheckpoint = tree.checkpointText()
const textOfOther = textOfCheckpoint.replace(logSigner.name, otherLog.name)

/** What a reader has seen, requires, or knows about the log. */
const ruled: readonly HostileInput[] = [
  dated('created_at', '2026-11-18T00:05:00.001Z', 'form', 'time_in_future'),
  dated('created_at', '2026-11-18T00:05:00.000Z', 'proof', 'cosignature_time'),
  dated('published_at', '2026-11-18T00:05:00.001Z', 'form', 'time_in_future'),
  dated('published_at', '9999-12-31T23:59:59.999999999Z', 'form', 'time_in_future'),
  dated('published_at', '2026-11-18T00:05:00.000Z', 'signature', 'signature_wrong'),
  dated('published_at', '2026-11-18', 'form', 'post_malformed'),
  dated('published_at', null, 'form', 'post_malformed'),
  closed('its current checkpoint', checkpoint, null, null),
  closed('an older checkpoint', tree.checkpoint(200), 'closed_log_larger', 'continuity'),
  closed('another tree of the same size', fork.checkpoint(), 'closed_log_differs', 'continuity'),
  closed('a larger checkpoint', larger.checkpoint(), 'smaller_size', 'continuity'),
  closed('no entries', new TestLog(logSigner).checkpoint(), 'closed_log_larger'),
  closed('another first entry', small.checkpoint(), 'closed_log_differs'),
  closed('no checkpoint', null, 'closed_log_larger'),
  closed('a checkpoint by another key', swapped.checkpoint(), 'note_unsigned'),
  closed('a checkpoint of another log', new TestLog(otherLog).checkpoint(), 'foreign_origin'),
  closed('what is no checkpoint', 'none', 'note_malformed'),
  closed('a number', 300, 'keys_malformed', 'key'),
  inKeys('a log that was closed without a checkpoint', '"state":"open"', '"state":"closed"', 'keys_malformed'),
  inKeys('a log in an unknown state', '"state":"open"', '"state":"frozen"', 'keys_malformed'),
  inKeys('a log without a state', ',"state":"open"', '', null),
  {
    ...input('a log whose key was replaced since the last visit', 'post.json', '', '', 'continuity', 'log_key_changed'),
    last_visit: swapped.checkpoint(10),
  },
  {
    ...input('another tree at the last visit', 'post.json', '', '', 'continuity', 'not_a_continuation'),
    last_visit: fork.checkpoint(10),
  },
  {
    ...input('an author who must have signed', 'post.json', '', '', 'author_signature', 'author_key_differs'),
    author_key: testKeys.author.thumbprint,
  },
  cosigned('a cosignature', tree.checkpoint(300, [{ witness: newer, at: cosignedAt }]), null, null),
  cosigned('none', checkpoint, 'proof', 'witness_missing'),
  cosigned(
    'a cosignature of another checkpoint',
    checkpoint + newer.cosignatureLine(tree.checkpointText(299), cosignedAt),
    ...(['proof', 'note_signature_wrong'] as const),
  ),
  cosigned(
    'a cosignature of another log',
    checkpoint + newer.cosignatureLine(textOfOther, cosignedAt),
    ...(['proof', 'note_signature_wrong'] as const),
  ),
  cosigned(
    'a cosignature by another witness of the same name',
    checkpoint + noteSigner(newer.name, testKeys.forger, 4).cosignatureLine(textOfCheckpoint, cosignedAt),
    ...(['proof', 'witness_missing'] as const),
  ),
  cosigned(
    'a cosignature of a fork',
    fork.checkpoint(300, [{ witness: newer, at: cosignedAt }]),
    ...(['proof', 'not_a_continuation'] as const),
  ),
  cosigned(
    'a cosignature from before the post',
    tree.checkpoint(300, [{ witness: newer, at: Date.UTC(2026, 10, 15) / 1_000 }]),
    ...(['proof', 'cosignature_time'] as const),
  ),
  cosigned(
    'a cosignature and is smaller than in the proof',
    new TestLog(logSigner).checkpoint(0, [{ witness: newer, at: cosignedAt }]),
    ...(['proof', 'smaller_size'] as const),
  ),
]

/** Inputs on which all verifiers must agree, word for word. */
export const hostileInputs: readonly HostileInput[] = [
  ...addresses.map((url) =>
    input(`the address ${text(url)}`, 'post.json', text(post.url), text(url), 'json', 'post_malformed'),
  ),
  input('an address that is null', 'post.json', text(post.url), 'null', 'json', 'post_malformed'),
  input('a number of 401 characters', 'post.json', '"Post 1"', `0.5${'0'.repeat(398)}`, 'json', 'json_number_changed'),
  input('a number of 400 characters', 'post.json', '"Post 1"', `0.5${'0'.repeat(397)}`, 'signature', 'signature_wrong'),
  ...times.map((time) =>
    input(
      `signed at ${time}`,
      'post.json',
      `created_at":"${post.published_at}`,
      `created_at":"${time}`,
      'form',
      'signature_malformed',
    ),
  ),
  ...times.map((time) =>
    inKeys(`a key that is valid from ${time}`, '2026-11-01T00:00:00.000Z', time, 'key_not_valid_then'),
  ),
  inKeys(
    'a key that is valid from less than a millisecond later',
    '2026-11-01T00:00:00.000Z',
    '2026-11-16T00:00:01.0009Z',
    null,
  ),
  ...badPoints.map(([about, r]) =>
    input(
      `a signature with R of ${about}`,
      'post.json',
      String(post.signature?.value),
      Buffer.concat([r, Buffer.alloc(32, 1)]).toString('base64url'),
      'form',
      'signature_malformed',
    ),
  ),
  ...badKeys.flatMap(([about, key]) => {
    const code = smallOrder.has(about) ? 'key_small_order' : 'key_malformed'
    return [
      inKeys(`a log key of ${about}`, log.vkey, vkeyOf(logSigner.name, key, 1), code, 'proof'),
      inKeys(`a witness key of ${about}`, witness.vkey, vkeyOf('w', key, 4), code),
      inKeys(`a key of ${about}`, String(keys.keys[0]?.x), key.toString('base64url'), code),
    ]
  }),
  ...(['keys', 'logs', 'witnesses'] as const).flatMap((name) => [
    inKeys(`${name} that are null`, listed(name), `"${name}":null`, 'keys_malformed'),
    inKeys(`65 ${name}`, listed(name), text({ [name]: Array(65).fill(keys[name][0]) }).slice(1, -1), 'keys_malformed'),
    inKeys(`64 ${name}`, listed(name), text({ [name]: Array(64).fill(keys[name][0]) }).slice(1, -1), null),
  ]),
  inKeys('no list of logs', `,${listed('logs')}`, '', 'foreign_origin', 'proof'),
  inKeys('no list of witnesses', `,${listed('witnesses')}`, '', null),
  ...logs.map(([origin, url]) =>
    inKeys(
      `a log ${text(origin)} at ${text(url)}`,
      `${text(log.origin)},"url":${text(logUrl)}`,
      `${text(origin)},"url":${text(url)}`,
      'keys_malformed',
    ),
  ),
  ...names.flatMap((name) => [
    inKeys(
      `a witness with the name ${text(name)}`,
      witness.vkey,
      vkeyOf(name, testKey(9).publicKey, 4),
      'note_key_name',
    ),
    input(
      `a signature by ${text(name)}`,
      'post.tlog-proof',
      '\n— witness',
      `\n— ${name} ${Buffer.alloc(68).toString('base64')}\n— witness`,
      'proof',
      'note_key_name',
    ),
  ]),
  ...malformed,
  ...ruled,
  inKeys('a line break in a verifier key', text(witness.vkey), text(`${witness.vkey}\n`), 'vkey_malformed'),
  {
    ...input('a log that has disappeared', 'post.json', '', '', 'continuity', 'log_missing'),
    seen_logs: [log.origin, 'posts.example/old-log'],
  },
  { ...input('the logs of the last visit', 'post.json', '', '', null, null), seen_logs: [log.origin] },
]
