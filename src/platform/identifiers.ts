import { randomBytes } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

export type IdPrefix = 'post' | 'acct' | 'key' | 'wh' | 'evt' | 'rep' | 'txn'

/** A prefix and a UUIDv7 in Crockford base32: unique without asking anyone, and sorted by time. */
export function newId(prefix: IdPrefix, at: Date): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(at.getTime(), 0, 6)
  bytes[6] = 0x70 | (byteAt(bytes, 6) & 0x0f)
  bytes[8] = 0x80 | (byteAt(bytes, 8) & 0x3f)
  return `${prefix}_${toBase32(bytes)}`
}

export function idPattern(prefix: IdPrefix): RegExp {
  return new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
}

/** 128 bits in 26 letters, most significant first, so that the text sorts as the bytes do. */
function toBase32(bytes: Buffer): string {
  let value = (bytes.readBigUInt64BE(0) << 64n) | bytes.readBigUInt64BE(8)
  const letters = new Array<string>(26)
  for (let index = 25; index >= 0; index--) {
    letters[index] = alphabet.charAt(Number(value & 31n))
    value >>= 5n
  }
  return letters.join('')
}

const byteAt = (bytes: Buffer, index: number) => bytes[index] ?? 0
