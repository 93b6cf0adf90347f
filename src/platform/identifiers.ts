import { randomBytes } from 'node:crypto'

const poolBytes = 4_096
let pool = Buffer.alloc(0)

/**
 * Random bytes that identify something and are not secret. They are drawn in large blocks, because each draw takes as
 * long for a few bytes as for a few thousand.
 */
export function randomIdBytes(size: number): Buffer {
  if (pool.length < size) pool = randomBytes(poolBytes)
  const bytes = pool.subarray(0, size)
  pool = pool.subarray(size)
  return bytes
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

export type IdPrefix =
  | 'post'
  | 'draft'
  | 'acct'
  | 'key'
  | 'wh'
  | 'evt'
  | 'rep'
  | 'txn'
  | 'pay'
  | 'rfd'
  | 'rly'
  | 'staff'

/** A prefix and a UUIDv7 in Crockford base32: unique without coordination, and sorted by time. */
export function newId(prefix: IdPrefix, at: Date): string {
  const bytes = randomIdBytes(16)
  bytes.writeUIntBE(at.getTime(), 0, 6)
  bytes[6] = 0x70 | (byteAt(bytes, 6) & 0x0f)
  bytes[8] = 0x80 | (byteAt(bytes, 8) & 0x3f)
  return `${prefix}_${toBase32(bytes)}`
}

/** A lower bound for all identifiers created in that millisecond or later, for queries by time. */
export function firstIdAt(prefix: IdPrefix, at: Date): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(Math.max(at.getTime(), 0), 0, 6)
  return `${prefix}_${toBase32(bytes)}`
}

/** When the identifier was created. */
export function timeOfId(id: string): Date {
  const letters = id.slice(id.indexOf('_') + 1, id.indexOf('_') + 11)
  // Ten characters are 50 bits: two zeros and the 48-bit time.
  return new Date([...letters].reduce((time, letter) => time * 32 + alphabet.indexOf(letter), 0))
}

/** 128 bits in 26 characters, most significant first, so that the text sorts like the bytes. */
function toBase32(bytes: Buffer): string {
  let letters = ''
  let held = 0
  // 26 characters have 130 bits: two zero bits precede the first byte.
  let heldBits = 2
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    heldBits += 8
    while (heldBits >= 5) {
      heldBits -= 5
      letters += alphabet.charAt((held >> heldBits) & 31)
    }
  }
  return letters
}

const byteAt = (bytes: Buffer, index: number) => bytes[index] ?? 0
