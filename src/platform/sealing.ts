import { createCipheriv, createDecipheriv, createHmac, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'

/** The first key encrypts; all keys decrypt. */
export type SecretKeys = readonly { id: string; key: KeyObject }[]

/** The stored form of a secret: a format byte, the nonce, the ciphertext and the tag. */
export type Sealed = { keyId: string; sealed: Buffer }

export type Sealing = {
  currentKeyId: string
  /** `boundTo` is the id of the row: a secret encrypted for one row cannot be decrypted for another. */
  seal(plain: Buffer, boundTo: string): Sealed
  open(sealed: Sealed, boundTo: string): Buffer
  /**
   * Deterministic while the first key stays the same. Without the keys, the text cannot be recovered, even by brute
   * force.
   */
  pseudonymOf(text: string): string
}

type FaultKind = 'unknown_key' | 'unknown_form' | 'not_authentic'

/** Why a stored secret could not be read. Contains no part of the secret. */
export class SealingError extends Error {
  readonly kind: FaultKind

  constructor(kind: FaultKind, keyId: string) {
    super(`${explanations[kind]} (key ${keyId})`)
    this.kind = kind
  }
}

const explanations: Record<FaultKind, string> = {
  unknown_key: 'a secret is encrypted with a key that is not in SECRETS_KEYS',
  unknown_form: 'a secret is encrypted in a format that this version does not support',
  not_authentic: 'an encrypted secret was altered, belongs to another row, or its key has changed',
}

const cipher = 'aes-256-gcm'
const formByte = 1
const nonceBytes = 12
const tagBytes = 16

/** Encrypts secrets that must be decrypted later: AES-256-GCM with a random nonce, bound to their row. */
export function openSealing(keys: SecretKeys): Sealing {
  const current = keys[0]
  if (!current) throw new Error('encryption requires at least one key')
  const keyOf = new Map(keys.map(({ id, key }) => [id, key]))
  const pseudonymKey = Buffer.from(hkdfSync('sha256', current.key, '', 'broadside pseudonyms', 32))
  return {
    currentKeyId: current.id,
    seal: (plain, boundTo) => ({ keyId: current.id, sealed: encrypt(current.key, plain, boundTo) }),
    open: ({ keyId, sealed }, boundTo) => {
      const key = keyOf.get(keyId)
      if (!key) throw new SealingError('unknown_key', keyId)
      if (sealed[0] !== formByte) throw new SealingError('unknown_form', keyId)
      const plain = decrypt(key, sealed.subarray(1), boundTo)
      if (!plain) throw new SealingError('not_authentic', keyId)
      return plain
    },
    pseudonymOf: (text) => createHmac('sha256', pseudonymKey).update(text).digest('base64url'),
  }
}

function encrypt(key: KeyObject, plain: Buffer, boundTo: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(boundTo))
  const ciphertext = Buffer.concat([encryption.update(plain), encryption.final()])
  return Buffer.concat([Buffer.of(formByte), nonce, ciphertext, encryption.getAuthTag()])
}

/** Undefined if the tag does not match. */
function decrypt(key: KeyObject, sealed: Buffer, boundTo: string): Buffer | undefined {
  if (sealed.length < nonceBytes + tagBytes) return undefined
  const nonce = sealed.subarray(0, nonceBytes)
  const decryption = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(sealed.subarray(-tagBytes))
  const plain = decryption.update(sealed.subarray(nonceBytes, -tagBytes))
  try {
    return Buffer.concat([plain, decryption.final()])
  } catch {
    return undefined
  }
}
