import { areEqual, type Bytes, sha256, toBase64Url, utf8 } from './bytes.ts'
import { Refusal } from './refusal.ts'

const prime = 2n ** 255n - 19n
/** d of the curve, -121665 / 121666. */
const curveD = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n
const order = 2n ** 252n + 27742317777372353535851937790883648493n

/** The y coordinates of the eight points of small order. One of these keys verifies every message. */
const smallOrder: readonly bigint[] = [
  0n,
  1n,
  prime - 1n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
]

/** Refuses what is not the only encoding of a point of large order. Web Crypto accepts some others. */
export function assertPublicKey(key: Bytes): void {
  if (key.length !== 32) throw new Refusal('key_malformed')
  const y = yOf(key)
  if (y >= prime || !isOnCurve(y) || ((y === 1n || y === prime - 1n) && isNegative(key)))
    throw new Refusal('key_malformed')
  if (smallOrder.includes(y)) throw new Refusal('key_small_order')
}

const yOf = (point: Bytes): bigint => littleEndian(point) & (2n ** 255n - 1n)
const isNegative = (point: Bytes): boolean => (point[31] ?? 0) > 127

/** Whether there is a point with this y: whether x² = (y² - 1) / (dy² + 1) has a solution, by Euler’s criterion. */
function isOnCurve(y: bigint): boolean {
  let [square, power] = [((y * y - 1n) * (curveD * y * y + 1n)) % prime, 1n]
  for (let exponent = (prime - 1n) / 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) power = (power * square) % prime
    square = (square * square) % prime
  }
  return power === 0n || power === 1n
}

/** Whether the signature is by the key. Throws a Refusal if the key or the signature is malformed. */
export async function isSignedBy(publicKey: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
  assertPublicKey(publicKey)
  assertSignature(signature)
  const key = await imported(publicKey)
  return key !== undefined && crypto.subtle.verify('Ed25519', key, signature, message)
}

/** Refuses the second spelling that each signature would otherwise have, and what implementations judge differently. */
export function assertSignature(signature: Bytes): void {
  if (signature.length !== 64) throw new Refusal('signature_malformed', `It has ${signature.length} bytes, not 64.`)
  if (littleEndian(signature.subarray(32)) >= order)
    throw new Refusal('signature_malformed', 'Its number S is too large.')
  const y = yOf(signature.subarray(0, 32))
  if (y >= prime || smallOrder.includes(y))
    throw new Refusal('signature_malformed', 'Its point R is not canonical, or of small order.')
}

let last: { bytes: Bytes; key: CryptoKey } | undefined

async function imported(bytes: Bytes): Promise<CryptoKey | undefined> {
  if (last && areEqual(last.bytes, bytes)) return last.key
  try {
    const key = await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify'])
    last = { bytes: bytes.slice(), key }
    return key
  } catch (error) {
    // A y coordinate without a point on the curve.
    if (error instanceof Error && error.name === 'DataError') throw new Refusal('key_malformed')
    throw error
  }
}

/** The identifier of an Ed25519 key by RFC 7638. `x` is the key in base64url. */
export const thumbprintOf = async (x: string): Promise<string> =>
  toBase64Url(await sha256(utf8(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)))

const littleEndian = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n)
