import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const pattern = /^bsk_[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/

/** `bsk_`, 43 random letters (256 bits) and a checksum of what precedes it, so that scanners can recognise a key. */
export function newApiKey(): string {
  const random = Array.from({ length: 43 }, () => base62.charAt(randomInt(62))).join('')
  return `bsk_${random}${checksumOf(`bsk_${random}`)}`
}

/** False for a mistyped key, without asking the database. */
export function looksLikeApiKey(key: string): boolean {
  const checksum = pattern.exec(key)?.[1]
  return checksum !== undefined && checksum === checksumOf(key.slice(0, -6))
}

/** What is stored instead of the key. A key has 256 random bits, so a fast hash is enough. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

function checksumOf(text: string): string {
  let value = crc32(text)
  let letters = ''
  for (let index = 0; index < 6; index++) {
    letters = base62.charAt(value % 62) + letters
    value = Math.floor(value / 62)
  }
  return letters
}
