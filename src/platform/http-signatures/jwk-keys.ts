import { createHash, type KeyObject } from 'node:crypto'
import {
  decodeBase64url,
  ed25519KeyBytes,
  privateKeyFromSeed,
  publicBytesOf,
  publicKeyFromBytes,
  verifyEd25519,
} from '../ed25519.ts'

/** The `x` of a JWK: 32 bytes as unpadded base64url. */
export type PublicKeyText = string

/** The bytes of a public key; null if they are not canonical, no point of the curve, or a point of small order. */
export function readPublicKey(x: PublicKeyText): Buffer | null {
  try {
    const bytes = decodeBase64url(x, ed25519KeyBytes)
    publicKeyFromBytes(bytes)
    return bytes
  } catch {
    return null
  }
}

export const isSignedBy = (publicKey: Buffer, message: Buffer, signature: Buffer): boolean =>
  verifyEd25519(publicKeyFromBytes(publicKey), message, signature)

export function keysFromSeed(seed: Buffer): { privateKey: KeyObject; x: PublicKeyText } {
  const privateKey = privateKeyFromSeed(seed)
  return { privateKey, x: publicBytesOf(privateKey).toString('base64url') }
}

/** RFC 7638: the identifier of a key, of the text as it is: another spelling of the same bytes is another key. */
export const thumbprintOfJwk = (x: PublicKeyText): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
