import type { Random } from '../../../tooling/random.ts'
import { type Draft, type Oddity, replaceBody, type Target } from './draft.ts'

/** Odd request lines: method, path, query and version. */
export const oddLines: readonly Oddity[] = [
  (draft, random) => {
    draft.method = random.pick(oddMethods)
  },
  anyMethod,
  oddRequestLine,
  (draft, random) => {
    draft.target = random.pick(oddPaths)
  },
  (draft, random) => {
    draft.target += `?${random.pick(oddQueries)}`
  },
]

const oddMethods = [
  'get',
  'Get',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'MKCOL',
  'LOCK',
  'PURGE',
  'QUERY',
  'PRI',
  'BREW',
  'GET_IT',
  'GET-IT',
  'G\x01T',
  'G\xcbT',
  '"GET"',
  '',
  '\0',
  'A'.repeat(200),
  'A'.repeat(20_000),
]

function oddRequestLine(draft: Draft, random: Random, { authority }: Target): void {
  const versions = [
    '',
    'HTTP/0.9',
    'HTTP/1.0',
    'HTTP/1.2',
    'HTTP/2.0',
    'HTTP/9.9',
    'HTTP/1',
    'HTTP/',
    'http/1.1',
    'ICY/1.1',
  ]
  const targets = [
    `http://${authority}${draft.target}`,
    `https://${authority}${draft.target}`,
    `http://${authority}`,
    'http://evil.example/v1/status',
    'http://',
    'ftp://a/',
    '*',
    authority,
    `//${authority}${draft.target}`,
    `${draft.target}#fragment`,
    `#${draft.target}`,
    `?${draft.target}`,
    ` ${draft.target}`,
    `${draft.target}\t`,
    `\t${draft.target}`,
    `${draft.target} ${draft.target}`,
    draft.target.slice(1),
    '',
  ]
  if (random.chance(0.5))
    draft.version = random.pick([...versions, 'HTTP/1.1 ', 'HTTP/1.1\t', `HTTP/1.1${'0'.repeat(50)}`])
  else draft.target = random.pick(targets)
  if (random.chance(0.1))
    draft.method = random.pick(['OPTIONS', '\r\n\r\nGET', '\nGET', ' GET', 'GET\t', '\x16\x03\x01\x02'])
}

function anyMethod(draft: Draft, random: Random): void {
  draft.method = random.pick(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
  if (random.chance(0.5)) replaceBody(draft, random.pick(['', '{}', 'x', '\0', '[]']))
}

const oddPaths = [
  '/nowhere',
  '/v1',
  '/v1/',
  '/v1/nowhere',
  '/v1/account/',
  '/v1//account',
  '//v1/account',
  '/V1/account',
  '/v1/Account',
  '/v1/account/../account',
  '/v1/./account',
  '/../../etc/passwd',
  '/..%2f..%2fetc/passwd',
  '/v1/..%2faccount',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/v1/%2e%2e/openapi.json',
  '/v1%2faccount',
  '/%76%31/account',
  '/v1/acc%6funt',
  '/v1/account%00',
  '/v1/account%0d%0aX-Injected:%20a',
  '/v1/%',
  '/v1/%z',
  '/v1/%zz',
  '/v1/%ff',
  '/v1/%c0%af',
  '/v1/%ed%a0%80',
  '/v1/%u0041',
  '/%ff',
  '/%',
  '/v1/account;a=b',
  '/;/v1/account',
  '/v1\\account',
  '/v1/account\\..\\account',
  '/v1/\xe2\x82\xac',
  '/\xff\xfe',
  '/v1/a\x01b',
  '/v1/a\x7fb',
  '/v1/a"b<c>{d}|e^f`g',
  '/v1/:id',
  '/v1/*',
  '/v1/posts/__proto__',
  '/v1/constructor',
  '/_gateway/unavailable',
  '/mcp',
  '/mcp/',
  '/index.html/',
  '/openapi.json/a',
  '/.git/config',
  '/problems/not_found',
  `/${'a'.repeat(20_000)}`,
  `/v1/${'a'.repeat(20_000)}`,
  `/v1/${'a'.repeat(10_000)}`,
  `/v1/${'a/'.repeat(4_000)}`,
  `/v1/${'%41'.repeat(4_000)}`,
  `/v1/${'../'.repeat(2_000)}`,
]

const oddQueries = [
  '',
  '?',
  '&',
  '=',
  '&&=&',
  'unknown=1',
  'a=1&a=2',
  'a[]=1&a[]=2',
  'a[__proto__]=1',
  '__proto__=1',
  '__proto__=1&__proto__=2',
  'constructor=1',
  'toString=1&hasOwnProperty=2',
  '%=%',
  '%zz=1',
  '%00=%00',
  '%ff=%ff',
  '%ed%a0%80=1',
  '+=+',
  '%20%20',
  'a;b;c',
  '\xff=\xfe',
  'a=\x01',
  '#a=b',
  '../../',
  // The pointer to a long name is truncated, and must not be cut inside a character.
  `${'a'.repeat(99)}%F0%9F%A6%91=1`,
  `${'a'.repeat(99)}%F0%9F%A6%91=1&${'a'.repeat(99)}%F0%9F%A6%91=2`,
  `a=${'b'.repeat(10_000)}`,
  'a&'.repeat(5_000),
  Array.from({ length: 1_000 }, (_, index) => `m${index}=1`).join('&'),
  '%F0%9F%A6%91'.repeat(800),
]
