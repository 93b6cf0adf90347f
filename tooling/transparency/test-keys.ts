import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import canonicalize from 'canonicalize'

const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** An Ed25519 key whose seed is 32 bytes counted up from `first`, as in the vectors of the standards document. */
export function testKey(first: number) {
  const seed = Buffer.from(Array.from({ length: 32 }, (_, index) => (first + index) % 256))
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
  const x = publicKey.toString('base64url')
  return {
    seed,
    publicKey,
    x,
    thumbprint: sha256(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).toString('base64url'),
    sign: (message: string | Buffer): Buffer => sign(null, Buffer.from(message), privateKey),
  }
}

export type TestKey = ReturnType<typeof testKey>

export const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export const jcs = (value: unknown): string => {
  const text = canonicalize(value)
  if (text === undefined) throw new Error('The value has no JSON form.')
  return text
}

/** Signs notes under a name, as a log does with type 1. */
export function noteSigner(name: string, key: TestKey, type = 1) {
  const typed = Buffer.concat([Buffer.of(type), key.publicKey])
  const keyId = sha256(`${name}\n`, typed).subarray(0, 4)
  return {
    name,
    key,
    vkey: `${name}+${keyId.toString('hex')}+${typed.toString('base64')}`,
    signatureLine: (text: string) => `— ${name} ${Buffer.concat([keyId, key.sign(text)]).toString('base64')}\n`,
  }
}

export type NoteSigner = ReturnType<typeof noteSigner>
