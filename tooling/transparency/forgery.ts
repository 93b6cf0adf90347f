import assert from 'node:assert/strict'
import type { Served } from './genuine-posts.ts'

/** A way to deceive a verifier: what it reads in place of a part of a genuine post. */
export type Forgery = {
  about: string
  /** The first check that fails, and why; null if the change is harmless and nothing may fail. */
  check: string | null
  code: string | null
  changes: Partial<Served>
}

export const forgery = (
  about: string,
  check: Forgery['check'],
  code: Forgery['code'],
  changes: Partial<Served>,
): Forgery => ({ about, check, code, changes })

export const harmless = (about: string, changes: Partial<Served>): Forgery => forgery(about, null, null, changes)

/** The bytes with others in place of those that occur first. */
export function replaced(whole: Buffer, from: string, to: string | Buffer): Buffer {
  const at = whole.indexOf(from)
  assert.ok(at >= 0, `${from} does not occur.`)
  const rest = whole.subarray(at + Buffer.byteLength(from))
  return Buffer.concat([whole.subarray(0, at), typeof to === 'string' ? Buffer.from(to) : to, rest])
}

export const text = (value: unknown): string => JSON.stringify(value)

/** Names a value in the name of a test. */
export const shown = (value: unknown): string => text(value).slice(0, 60)

const point = (first: number, rest: number, last: number) =>
  Buffer.concat([Buffer.of(first), Buffer.alloc(30, rest), Buffer.of(last)])

type BadPoint = { about: string; point: Buffer; code: string }

/** Encodings that no public key and no first half of a signature may have. */
export const badPoints: readonly BadPoint[] = [
  { about: 'y = 0', point: point(0, 0, 0), code: 'key_small_order' },
  { about: 'y = 0, with a sign', point: point(0, 0, 0x80), code: 'key_small_order' },
  { about: 'y = 1', point: point(1, 0, 0), code: 'key_small_order' },
  { about: 'y = 1, with a sign', point: point(1, 0, 0x80), code: 'key_malformed' },
  { about: 'y = p - 1', point: point(0xec, 0xff, 0x7f), code: 'key_small_order' },
  { about: 'y = p - 1, with a sign', point: point(0xec, 0xff, 0xff), code: 'key_malformed' },
  ...[
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  ].map((hex) => ({ about: `order 8: ${hex}`, point: Buffer.from(hex, 'hex'), code: 'key_small_order' })),
  { about: 'y = p', point: point(0xed, 0xff, 0x7f), code: 'key_malformed' },
  { about: 'y = p + 1', point: point(0xee, 0xff, 0x7f), code: 'key_malformed' },
  { about: 'y = 2^255 - 1', point: point(0xff, 0xff, 0xff), code: 'key_malformed' },
]

export const badKeys: readonly BadPoint[] = [
  ...badPoints,
  { about: 'y = 2, which is not on the curve', point: point(2, 0, 0), code: 'key_malformed' },
]

/** Moments that do not exist. */
export const badTimes = [
  '2026-02-30T00:00:00.000Z',
  '2026-11-15T24:00:00.000Z',
  '0000-01-01T00:00:00.000Z',
  '2026-11-15T23:59:60Z',
]
