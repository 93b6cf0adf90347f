import { gzipSync } from 'node:zlib'
import type { Random } from '../../../tooling/random.ts'
import { asWrite, type Draft, dropHeader, inChunks, type Oddity, replaceBody, setHeader, type Target } from './draft.ts'
import { oddBodies } from './odd-bodies.ts'

/** Odd bodies, and odd declarations about a body. */
export const oddFraming: readonly Oddity[] = [
  ...oddBodies.map(
    (bodyOf): Oddity =>
      (draft, random, target) => {
        if (random.chance(0.85)) asWrite(draft, random, target)
        replaceBody(draft, bodyOf(random))
      },
  ),
  oddContentType,
  oddContentEncoding,
  oddContentLength,
  lengthAndChunks,
  oddChunks,
]

function oddContentType(draft: Draft, random: Random, target: Target): void {
  asWrite(draft, random, target)
  dropHeader(draft, 'Content-Type')
  const types = [
    'application/json; charset=utf-8',
    'application/json;charset=utf-16',
    'application/json;',
    'APPLICATION/JSON',
    'application/json, text/plain',
    'application/problem+json',
    'application/merge-patch+json',
    'application/jsonx',
    'text/plain',
    'text/plain; charset=\xff',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=boundary',
    'multipart/form-data',
    '*/*',
    'json',
    '',
    ';',
    '/',
    'a/b/c',
    '"application/json"',
    'application/json\x01',
    'x'.repeat(5_000),
  ]
  if (random.chance(0.9)) draft.headers.push(`Content-Type: ${random.pick(types)}`)
  if (random.chance(0.1)) draft.headers.push('Content-Type: application/json')
}

function oddContentEncoding(draft: Draft, random: Random, target: Target): void {
  asWrite(draft, random, target)
  const encodings = ['gzip', 'br', 'deflate', 'identity', 'identity, gzip', 'aws-chunked', '', '\x7f', 'gzip, gzip']
  setHeader(draft, 'Content-Encoding', random.pick(encodings))
  if (random.chance(0.5)) replaceBody(draft, gzipSync(draft.body))
}

function oddContentLength(draft: Draft, random: Random, target: Target): void {
  asWrite(draft, random, target)
  const { length } = draft.body
  draft.framing = 'own'
  const unreadable = [
    '-1',
    '+5',
    `${length}, ${length}`,
    '0x20',
    '5 5',
    '',
    '1e2',
    'ten',
    `${length}.0`,
    `${length}\x01`,
  ]
  const large = ['1048577', '99999999999', '9223372036854775808', '9'.repeat(400)]
  const other = [`0${length}`, String(length - 1), '0', '1']
  const kind = random.below(5)
  const lines = [
    [random.pick(unreadable)],
    [random.pick(large)],
    [random.pick(other)],
    [String(length), random.pick([String(length), String(length + 1), '0'])],
    [String(length + 1 + random.below(100))],
  ][kind] as string[]
  // The server waits for announced bytes that do not arrive, unless the announced length already exceeds a limit.
  if (kind === 4) draft.isWhole = false
  draft.headers.push(...lines.map((value) => `Content-Length: ${value}`))
}

function lengthAndChunks(draft: Draft, random: Random, target: Target): void {
  asWrite(draft, random, target)
  const codings = ['chunked', 'Chunked', ' chunked', 'chunked, chunked', 'identity', 'gzip, chunked', 'chunked\x0b', '']
  const lines = [`Transfer-Encoding: ${random.pick(codings)}`, `Content-Length: ${draft.body.length}`]
  if (random.chance(0.3)) lines.pop()
  draft.body = inChunks(draft.body, random)
  draft.framing = 'own'
  draft.headers.push(...(random.chance(0.5) ? lines : lines.reverse()))
}

function oddChunks(draft: Draft, random: Random, target: Target): void {
  asWrite(draft, random, target)
  const broken = ['zz\r\n{}\r\n0\r\n\r\n', '-2\r\n{}\r\n0\r\n\r\n', '{}', '2\r\n{}XX0\r\n\r\n', '\r\n\r\n']
  const unended = [
    '2\r\n{}\r\n',
    '2\r\n{}\r\n0\r\n',
    'ffffffffffffffff\r\n{}',
    'fffffffff\r\n{}\r\n',
    '2\r\n{',
    '5',
    '',
  ]
  const strange = [
    `2;${'a'.repeat(5_000)}\r\n{}\r\n0\r\n\r\n`,
    '02\r\n{}\r\n0\r\n\r\n',
    '2\r\n{}\r\n0\r\nX-Trailer: a\r\n\r\n',
  ]
  draft.isWhole = random.chance(0.6)
  draft.body = Buffer.from(random.pick(draft.isWhole ? [...broken, ...strange] : unended))
  draft.framing = 'own'
  draft.headers.push('Transfer-Encoding: chunked')
}
