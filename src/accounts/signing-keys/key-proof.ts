import { createHash } from 'node:crypto'
import { Problem } from '../../contract/problems/problem.ts'
import { canonicalJson } from '../../platform/canonical-json.ts'
import {
  decodeBase64url,
  Ed25519Error,
  ed25519SignatureBytes,
  publicKeyFromBytes,
  verifyEd25519,
} from '../../platform/ed25519.ts'

type Claim = { accountId: string; origin: string; publicKey: Buffer }

/** The text that proves that an account has the private key. It fits no other account, installation or purpose. */
export const provingText = ({ accountId, origin, publicKey }: Claim): string =>
  canonicalJson({
    account_id: accountId,
    origin,
    public_key: publicKey.toString('base64url'),
    purpose: 'author-key',
  })

/** Refuses a public key unless its private half has signed for this account. */
export function assertPossession(claim: Claim, proof: string): void {
  const text = provingText(claim)
  const value = readSignatureValue(proof)
  if (value && verifyEd25519(publicKeyFromBytes(claim.publicKey), text, value)) return
  const detail =
    'does not prove that you have the private key. Sign the UTF-8 bytes of the canonical JSON (RFC 8785) of ' +
    '{"account_id":"…","origin":"…","public_key":"…","purpose":"author-key"} with it, with the id of this account ' +
    `and the origin ${claim.origin}. ${measureBytes(text)}`
  throw new Problem('validation_failed', 'The body has 1 invalid field. See `errors`.', {
    members: { errors: [{ pointer: '#/proof', detail, docs: '/docs/posting/#sign-a-post' }] },
  })
}

/** The bytes of a signature; undefined if the text is not base64url. */
export function readSignatureValue(text: string): Buffer | undefined {
  try {
    return decodeBase64url(text, ed25519SignatureBytes)
  } catch (error) {
    if (error instanceof Ed25519Error) return undefined
    throw error
  }
}

/** What a signer compares its own bytes with. */
export const measureBytes = (text: string): string =>
  `These are ${Buffer.byteLength(text)} bytes with the SHA-256 ${createHash('sha256').update(text).digest('hex')}`
