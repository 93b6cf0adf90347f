import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

export const ed25519KeyBytes = 32
export const ed25519SignatureBytes = 64

/** Why a key or an encoding was refused. Contains no part of it. */
export class Ed25519Error extends Error {}

/**
 * The key with these 32 bytes. Refuses what OpenSSL accepts: bytes that are no point of the curve, a second spelling of
 * a point, and the points of small order, with which one signature fits every message.
 */
export function publicKeyFromBytes(bytes: Uint8Array): KeyObject {
  if (bytes.length !== ed25519KeyBytes) throw new Ed25519Error('the key does not have 32 bytes')
  const y = littleEndian(bytes) & (signBit - 1n)
  if (y >= fieldPrime) throw new Ed25519Error('the key is not in its canonical form')
  if (smallOrders.has(y)) throw new Ed25519Error('the key is a point of small order')
  if (!isOnCurve(y)) throw new Ed25519Error('the key is not a point of the curve')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: writeBase64url(bytes) }, format: 'jwk' })
}

/** RFC 8410: a private key in PKCS #8 is this prefix and the seed. */
const privateKeyPrefix = Buffer.from('302e020100300506032b657004220420', 'hex')

export function privateKeyFromSeed(seed: Uint8Array): KeyObject {
  if (seed.length !== ed25519KeyBytes) throw new Ed25519Error('the seed does not have 32 bytes')
  return createPrivateKey({ key: Buffer.concat([privateKeyPrefix, seed]), format: 'der', type: 'pkcs8' })
}

/** The 32 bytes of a public key, or of the public half of a private key. */
export function publicBytesOf(key: KeyObject): Buffer {
  const { x } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' })
  return decodeBase64url(x ?? '', ed25519KeyBytes)
}

/** The name of a public key: its JWK thumbprint (RFC 7638), 43 characters. */
export function thumbprintOf(publicBytes: Uint8Array): string {
  const jwk = `{"crv":"Ed25519","kty":"OKP","x":"${writeBase64url(publicBytes)}"}`
  return createHash('sha256').update(jwk).digest('base64url')
}

/** The 64 bytes of a signature. A text is signed as UTF-8. */
export const signEd25519 = (privateKey: KeyObject, message: Uint8Array | string): Buffer =>
  sign(null, bytesOf(message), privateKey)

/** `publicKey` comes from `publicKeyFromBytes`, which refuses the keys that would accept any signature. */
export function verifyEd25519(publicKey: KeyObject, message: Uint8Array | string, signature: Uint8Array): boolean {
  if (signature.length !== ed25519SignatureBytes) return false
  // A second value for the same signature (RFC 8032, 5.1.7).
  if (littleEndian(signature.subarray(ed25519KeyBytes)) >= groupOrder) return false
  return verify(null, bytesOf(message), publicKey, signature)
}

/** Decodes base64url without padding. Buffer.from alone skips characters and ignores spare bits. */
export function decodeBase64url(text: string, byteLength?: number): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (writeBase64url(bytes) !== text) throw new Ed25519Error('the text is not base64url without padding')
  if (byteLength !== undefined && bytes.length !== byteLength)
    throw new Ed25519Error(`the text does not decode to ${byteLength} bytes`)
  return bytes
}

const writeBase64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const bytesOf = (message: Uint8Array | string) => (typeof message === 'string' ? Buffer.from(message) : message)
const littleEndian = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)

const signBit = 1n << 255n
const fieldPrime = signBit - 19n
const groupOrder = (1n << 252n) + 27742317777372353535851937790883648493n
const curveD = 37095705934669439343138083508754565189542113879843219016388785533085940283555n
/** One of the y coordinates of the points of order eight; the other is its negative. */
const yOfOrderEight = 55188659117513257062467267217118295137698188065244968500265048394206261417927n
/** The y coordinates of all points of order one, two, four and eight. */
const smallOrders = new Set([0n, 1n, fieldPrime - 1n, yOfOrderEight, fieldPrime - yOfOrderEight])

/** Whether (y² − 1) / (d·y² + 1) is a square, so that an x exists. */
function isOnCurve(y: bigint): boolean {
  const square = (y * y) % fieldPrime
  return power((square - 1n) * (curveD * square + 1n), (fieldPrime - 1n) / 2n) === 1n
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, factor] = [1n, base % fieldPrime]
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * factor) % fieldPrime
    factor = (factor * factor) % fieldPrime
  }
  return result
}
