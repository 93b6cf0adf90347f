import type { Random } from '../../../tooling/random.ts'
import { type Draft, dropHeader, type Oddity, setHeader, type Target } from './draft.ts'

/** Odd values of headers that the server reads, and odd header lines. */
export const oddHeaders: readonly Oddity[] = [
  (draft, random) => setHeader(draft, 'Accept', random.pick(oddAccepts)),
  oddAuthorization,
  noAuthorization,
  oddHost,
  oddHeaderLines,
  (draft, random) => void draft.headers.push(random.pick(oddOptions)),
]

const oddAccepts = [
  '',
  ',',
  ';',
  '*',
  '*/*;q=0',
  'application/json;q=0',
  'application/json;q=0, */*',
  'application/json;q=abc',
  'application/json;q=-1',
  'application/json;q=0.0000',
  'application/*;q=0.1',
  'text/html',
  'text/html, application/xhtml+xml, application/xml;q=0.9',
  'image/png;q=1, */*;q=0',
  'application/json; version="1,2"',
  '\xff\xfe',
  'a\x01b',
  '*/*, '.repeat(2_000),
  `application/json;${'q=1;'.repeat(3_000)}`,
  ','.repeat(10_000),
]

function noAuthorization(draft: Draft): void {
  dropHeader(draft, 'Authorization')
  if (draft.target === '/v1/status') draft.target = '/v1/account'
}

function oddAuthorization(draft: Draft, random: Random, { apiKey, unknownKey }: Target): void {
  const known = apiKey ?? unknownKey
  if (random.chance(0.5)) draft.target = '/v1/account'
  dropHeader(draft, 'Authorization')
  const values = [
    `Bearer ${unknownKey}`,
    `bearer   ${known}`,
    `BEARER ${known} `,
    `Bearer\t${known}`,
    `Bearer ${known} ${known}`,
    `Bearer ${known},`,
    `Bearer "${known}"`,
    `Bearer ${known.slice(0, -1)}`,
    `Bearer ${known.toLowerCase()}`,
    `Bearer ${known}\x01`,
    `Bearer \xff\xfe`,
    'Bearer ',
    'Bearer',
    '',
    known,
    `Basic ${Buffer.from(`${known}:`).toString('base64')}`,
    `Digest username="${known}"`,
    `Bearer ${'a'.repeat(12_000)}`,
    'Bearer bsk_\x00',
    `Bearer ${' '.repeat(10_000)}x y`,
  ]
  draft.headers.push(`Authorization: ${random.pick(values)}`)
  if (random.chance(0.2)) draft.headers.push(`Authorization: ${random.pick(values)}`)
}

function oddHost(draft: Draft, random: Random, { authority }: Target): void {
  dropHeader(draft, 'Host')
  const [name = '', port = ''] = authority.split(':')
  const hosts = [
    '',
    name,
    `${name}:`,
    `${name}:${Number(port) + 1}`,
    `${name}:0${port}`,
    `${name}.:${port}`,
    `${authority}/`,
    `user@${authority}`,
    `${authority}, ${authority}`,
    authority.toUpperCase(),
    `[::1]:${port}`,
    '[::1',
    '127.0.0.1',
    'evil.example',
    'a"b',
    "a'b",
    '$problem_base',
    '..',
    'a b',
    'a\x01b',
    '\xfcber.example',
    'a'.repeat(300),
    `${'a'.repeat(10_000)}.example`,
  ]
  if (random.chance(0.9)) draft.headers.unshift(`Host: ${random.pick(hosts)}`)
  if (random.chance(0.1)) draft.headers.push(`Host: ${random.pick([authority, ...hosts])}`)
  if (random.chance(0.1)) draft.version = 'HTTP/1.0'
}

function oddHeaderLines(draft: Draft, random: Random): void {
  const lines = [
    'No-Colon',
    ': no-name',
    ' : a',
    'Space : a',
    'Sp ace: a',
    '\tX-Fold: a',
    'X-Fold: a\r\n b\r\n\tc',
    'X-Bare: a\rb',
    'X-Line: a\nX-Next: b',
    'X-Nul: a\0b',
    'X-N\0l: a',
    'X-Control: a\x01\x02\x7fb',
    'X-Contr\x01l: a',
    'X-High: \xff\xfe',
    'X-H\xefgh: a',
    'X_Under: a',
    'X-Empty:',
    'X-"Quote": a',
    `X-Long: ${'a'.repeat(15_000)}`,
    `X-Longer: ${'a'.repeat(40_000)}`,
    `${'X'.repeat(40_000)}: a`,
    Array.from({ length: 200 }, (_, index) => `X-${index}: ${index}`).join('\r\n'),
    Array.from({ length: 2_500 }, (_, index) => `X-${index}: ${index}`).join('\r\n'),
    Array.from({ length: 7 }, (_, index) => `X-${index}: ${'a'.repeat(8_000)}`).join('\r\n'),
    `Cookie: ${'a=b; '.repeat(2_500)}`,
    'X-Forwarded-For: 1.2.3.4, $remote_addr',
    'X-Request-Id: "}',
    '__proto__: a',
  ]
  draft.headers.splice(random.below(draft.headers.length + 1), 0, random.pick(lines))
}

const oddOptions = [
  'Expect: 100-continue',
  'Expect: 200-ok',
  'Expect: 100-continue, 100-continue',
  'Expect: \x01',
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
  'Connection: keep-alive, Host, Authorization',
  'Connection: \xff',
  'Keep-Alive: timeout=-1',
  'Range: bytes=0-1',
  'Range: bytes=999999-',
  'Range: bytes=5-1,,-,a',
  `Range: bytes=${'0-0,'.repeat(2_000)}0-0`,
  'If-Match: "other"',
  'If-Match: *',
  'If-Match: \x01',
  'If-None-Match: *',
  'If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT',
  'If-Modified-Since: garbage',
  'If-Range: "other"\r\nRange: bytes=0-0',
  'Idempotency-Key: ',
  'Idempotency-Key: short',
  `Idempotency-Key: ${'k'.repeat(5_000)}`,
  'Idempotency-Key: \x01\x02\x03\x04\x05\x06\x07\x08',
  'Idempotency-Key: \xff\xff\xff\xff\xff\xff\xff\xff',
  'Idempotency-Key: one-key-1\r\nIdempotency-Key: one-key-2',
  'TE: trailers, deflate;q=0.5',
  'Trailer: Content-Length',
  'X-HTTP-Method-Override: DELETE',
  'Accept-Encoding: gzip;q=0, *;q=0',
  'Accept-Encoding: br, gzip',
  'Content-Range: bytes 0-1/2',
  'Origin: null\r\nAccess-Control-Request-Method: POST',
  'Max-Forwards: 0',
  'X-Accel-Redirect: /_gateway/unavailable',
  'traceparent: 00-00000000000000000000000000000000-0000000000000000-ff',
]
