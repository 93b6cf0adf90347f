import { malformed } from './hostile-forms.ts'
import { type HostileInput, inKeys, input, keys, log, post, text } from './hostile-input.ts'
import { ruled } from './hostile-rules.ts'
import { noteSigner, testKey } from './test-keys.ts'
import { logSigner, logUrl, site } from './test-posts.ts'

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

/** How `keys.json` is written. */
const listed = (name: 'keys' | 'logs') => text({ [name]: keys[name] }).slice(1, -1)
const vkeyOf = (name: string, publicKey: Buffer) =>
  noteSigner(name, { ...testKey(9), publicKey: Buffer.from(publicKey) }).vkey

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

/** What a verifier must judge by its first fault. */
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
      inKeys(`a log key of ${about}`, log.vkey, vkeyOf(logSigner.name, key), code, 'proof'),
      inKeys(`a key of ${about}`, String(keys.keys[0]?.x), key.toString('base64url'), code),
    ]
  }),
  ...(['keys', 'logs'] as const).flatMap((name) => [
    inKeys(`${name} that are null`, listed(name), `"${name}":null`, 'keys_malformed'),
    inKeys(`65 ${name}`, listed(name), text({ [name]: Array(65).fill(keys[name][0]) }).slice(1, -1), 'keys_malformed'),
    inKeys(`64 ${name}`, listed(name), text({ [name]: Array(64).fill(keys[name][0]) }).slice(1, -1), null),
  ]),
  inKeys('no list of logs', `,${listed('logs')}`, '', 'foreign_origin', 'proof'),
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
      `a log key with the name ${text(name)}`,
      log.vkey,
      vkeyOf(name, testKey(9).publicKey),
      'note_key_name',
      'proof',
    ),
    input(
      `a signature by ${text(name)}`,
      'post.tlog-proof',
      '\n— posts',
      `\n— ${name} ${Buffer.alloc(68).toString('base64')}\n— posts`,
      'proof',
      'note_key_name',
    ),
  ]),
  ...malformed,
  ...ruled,
  inKeys('a line break in a verifier key', text(log.vkey), text(`${log.vkey}\n`), 'vkey_malformed', 'proof'),
  {
    ...input('a log that has disappeared', 'post.json', '', '', 'continuity', 'log_missing'),
    seen_logs: [log.origin, 'posts.example/old-log'],
  },
  { ...input('the logs of the last visit', 'post.json', '', '', null, null), seen_logs: [log.origin] },
]
