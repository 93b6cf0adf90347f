import { gzipSync } from 'node:zlib'
import { maxBodyBytes } from '../../../src/contract/limits.ts'
import type { Random } from '../../../tooling/random.ts'

const newcomer = { name: 'Harbour Notices', email: 'owner@example.com', accept_terms: true }
const change = { auto_recharge: { enabled: false, threshold_micros: 5_000_000, amount_micros: 10_000_000 } }

/** Valid bodies. With an account's key the second is rejected, because only the owner may send it. */
export const validBodies = {
  newcomer: JSON.stringify(newcomer),
  turnOff: JSON.stringify({ auto_recharge: { enabled: false } }),
  change: JSON.stringify(change),
}

type OddBody = (random: Random) => Buffer | string

/** Bodies that a JSON API must reject or read correctly. */
export const oddBodies: readonly OddBody[] = [
  (random) => validBodies.newcomer.slice(0, random.below(validBodies.newcomer.length)),
  (random) => random.pick(notQuiteJson),
  (random) => random.pick(otherTexts),
  (random) => withName(random.pick(oddStrings)),
  (random) => `{${JSON.stringify(random.pick(oddKeys))}:${random.pick(oddValues)},${validBodies.newcomer.slice(1)}`,
  (random) => nested(random, 50_000),
  wrongTypes,
  wrongChange,
  (random) => manyMembers(random, 5_000),
  (random) =>
    `{"name":"a","name":${random.pick(oddValues)},"email":"b@example.com","accept_terms":true,"accept_terms":1}`,
  (random) => oddlyEncoded(random),
  (random) => Buffer.concat([Buffer.from(validBodies.newcomer), random.bytes(1 + random.below(8))]),
  (random) => random.bytes(random.below(400)),
  (random) => sized(maxBodyBytes + random.pick([-1, 0, 1, 100, 100_000])),
  () => gzipSync(validBodies.newcomer),
]

const notQuiteJson = [
  '{"name":"a","email":"b@example.com","accept_terms":true,}',
  '{"name":"a",,"email":"b@example.com"}',
  '{"name":NaN,"email":"b@example.com","accept_terms":true}',
  '{"name":Infinity}',
  '{"name":undefined}',
  '{name:"a"}',
  "{'name':'a'}",
  '{"name":"a"} // comment',
  '/* comment */ {}',
  '{"name":"a\nb"}',
  '{"name":"a\\"}',
  '{"name":"\\x41"}',
  '{"name":"\\u12"}',
  '{"name":01}',
  '{"name":1.}',
  '{"name":.5}',
  '{"name":+1}',
  '{"name":0x10}',
  '{"name" "a"}',
  '{"name":}',
  '[1,2',
  ']',
  '{}{}',
  '{}\0',
  '\0{}',
  '{\0}',
  '{"name":"a\0b"}',
  '\u00a0{}',
  '\u2028{}',
  'name=a&email=b',
  '<?xml version="1.0"?><name/>',
  '--boundary\r\nContent-Disposition: form-data; name="name"\r\n\r\na\r\n--boundary--\r\n',
]

const otherTexts = ['', ' ', '\r\n', 'null', 'true', '0', '-0', '1e400', '""', '"text"', '[]', '[[]]', '[{}]', '{}']

const oddStrings = [
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '"\\u202e\\u200b"',
  '"\\ufeffa"',
  `"${'a'.repeat(81)}"`,
  `"${'a'.repeat(200_000)}"`,
  `"${'\\ud83e\\udd91'.repeat(80)}"`,
  `"e${'\\u0301'.repeat(5_000)}"`,
  '"<script>alert(1)</script>"',
  '"\'; drop table accounts; --"',
  '"{{7*7}}%s%n"',
]

const oddKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  ' ',
  'name ',
  'NAME',
  '~',
  '/',
  'a/b~c',
  '%',
  '\0',
  '\ud800',
  `${'a'.repeat(99)}🦑`,
  'a'.repeat(100_000),
  '$where',
  'then',
  'toJSON',
]

const oddValues = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e308',
  '1e400',
  '9007199254740993',
  '9'.repeat(10_000),
  `0.${'1'.repeat(10_000)}`,
  '""',
  '"true"',
  '[]',
  '[true]',
  '{}',
  '{"__proto__":{"accept_terms":true}}',
  '{"toString":null}',
  '[[[[[[[[]]]]]]]]',
]

const withName = (name: string) => `{"name":${name},"email":"b@example.com","accept_terms":true}`

function nested(random: Random, depth: number): string {
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['{"auto_recharge":', '}'],
    ['[{"":', '}]'],
  ] as const)
  const deep = open.repeat(depth / open.length) + (random.chance(0.5) ? '0' : '{}') + close.repeat(depth / open.length)
  return random.pick([deep, withName(deep), `{"auto_recharge":${deep}}`, deep.slice(0, -5)])
}

function wrongTypes(random: Random): string {
  const members = ['name', 'email', 'accept_terms'].map((name) => `"${name}":${random.pick(oddValues)}`)
  return `{${members.slice(random.below(2)).join(',')}}`
}

function wrongChange(random: Random): string {
  const members = ['enabled', 'threshold_micros', 'amount_micros']
    .filter(() => random.chance(0.7))
    .map((name) => `"${name}":${random.pick([...oddValues, 'false', 'false', 'false', '5000000'])}`)
  return random.chance(0.2) ? `{"auto_recharge":${random.pick(oddValues)}}` : `{"auto_recharge":{${members.join(',')}}}`
}

function manyMembers(random: Random, count: number): string {
  const names = Array.from({ length: count }, (_, index) => `"m${index}":${random.below(10)}`)
  return random.chance(0.5) ? `{${names.join(',')}}` : `{"auto_recharge":{"enabled":false,${names.join(',')}}}`
}

function oddlyEncoded(random: Random): Buffer {
  const text = validBodies.newcomer
  const swapped = () => Buffer.from(text, 'utf16le').swap16()
  const around = (bytes: number[]) =>
    Buffer.concat([Buffer.from('{"name":"a'), Buffer.from(bytes), Buffer.from(`",${text.slice(1)}`)])
  return random.pick([
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(`\ufeff\ufeff${text}`),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
    () => Buffer.concat([Buffer.from([0xfe, 0xff]), swapped()]),
    // Not UTF-8: a stray byte, an overlong slash, a cut sequence, a surrogate, a code point beyond Unicode.
    () => around([0xff]),
    () => around([0xc0, 0xaf]),
    () => around([0xe2, 0x82]),
    () => around([0xed, 0xa0, 0x80]),
    () => around([0xf4, 0x90, 0x80, 0x80]),
    () => Buffer.from('{"name":"Café","email":"b@example.com","accept_terms":true}', 'latin1'),
  ])()
}

/** A body of exactly this many bytes, valid except for its length. */
const sized = (bytes: number) => validBodies.newcomer + ' '.repeat(bytes - validBodies.newcomer.length)
