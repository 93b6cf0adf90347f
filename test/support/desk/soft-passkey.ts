import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** The statements of an authenticator and its browser. Each can be forged. */
export type Said = {
  type: string
  challenge: string
  origin: string
  crossOrigin: boolean
  rpId: string
  isVerified: boolean
  counter: number
  handle: string
  attestation: { fmt: string; attStmt: Map<string, unknown> }
  credentialId: string
}

/** The challenge of a page, from its form. */
export function readAsked(page: string): { challenge: string } {
  const text = /data-options="([^"]*)"/.exec(page)?.[1] ?? ''
  const { challenge } = JSON.parse(text.replaceAll('&#34;', '"')) as { challenge: string }
  return { challenge }
}

/** A passkey under full control of the test: sends what a browser with a real one would send, or an attacker. */
export function softPasskey({ origin, staffId }: { origin: string; staffId: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const [id, point] = [randomBytes(16), [x, y].map((part) => Buffer.from(part, 'base64url'))]
  // Type EC2, algorithm ES256, curve P-256, and the point.
  const key = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      ...point.map((part, index) => [-2 - index, Uint8Array.from(part)] as const),
    ]),
  )
  const usual = (changes: Partial<Said>): Said => ({
    type: 'webauthn.get',
    challenge: '',
    origin,
    crossOrigin: false,
    rpId: 'localhost',
    isVerified: true,
    counter: 0,
    handle: staffId,
    attestation: { fmt: 'none', attStmt: new Map() },
    credentialId: id.toString('base64url'),
    ...changes,
  })
  return {
    id: id.toString('base64url'),
    /** What a browser sends when creating a passkey. */
    create: (changes: Partial<Said>) => {
      const said = usual({ type: 'webauthn.create', ...changes })
      const length = Buffer.from([id.length >> 8, id.length & 0xff])
      const authData = Buffer.concat([headOf(said, 0x40), Buffer.alloc(16), length, id, key])
      const { fmt, attStmt } = said.attestation
      const attestation = new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', Uint8Array.from(authData)],
      ])
      const attestationObject = Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url')
      return wrap(said, { clientDataJSON: clientDataOf(said).toString('base64url'), attestationObject })
    },
    /** What it sends when using this one. */
    use: (changes: Partial<Said>) => {
      const said = usual(changes)
      const [authData, clientData] = [headOf(said, 0), clientDataOf(said)]
      const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
      return wrap(said, {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: Buffer.from(said.handle).toString('base64url'),
      })
    },
  }
}

const clientDataOf = ({ type, challenge, origin, crossOrigin }: Said) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }))

/** The relying party, the user's gesture, and the use counter. */
function headOf({ rpId, isVerified, counter }: Said, more: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  const flags = Buffer.of(0x01 | (isVerified ? 0x04 : 0) | more)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), flags, count])
}

const wrap = ({ credentialId }: Said, response: Record<string, string>) =>
  JSON.stringify({ id: credentialId, rawId: credentialId, type: 'public-key', response, clientExtensionResults: {} })
