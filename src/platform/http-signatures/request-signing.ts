import type { Clock } from '../clock.ts'
import { signEd25519 } from '../ed25519.ts'
import { randomIdBytes } from '../identifiers.ts'
import type { SecretKeys } from '../sealing.ts'
import { directoryPath } from './agent-url.ts'
import { keysFromSeed, thumbprintOfJwk } from './jwk-keys.ts'
import { contentDigest, coveredComponent, type RequestKey, signRequest } from './sign-request.ts'
import { type InnerList, integerItem, stringItem, writeMember } from './structured-fields.ts'

export type OutgoingRequest = { method: string; origin: string; path: string; query: string; body: Buffer | null }

/** Signs the requests of this installation, and publishes its keys. */
export type RequestSigning = {
  /** The headers for one attempt. */
  sign(request: OutgoingRequest): Record<string, string>
  /** The directory of the keys, with the headers that prove that its server has them. */
  directory(): { body: Buffer; headers: Record<string, string> }
}

type Options = { keys: SecretKeys; accountPageUrl: string; clock: Clock; nonce?: () => string }

/** The first key signs; all keys are published. */
export function openRequestSigning({ keys, accountPageUrl, clock, nonce = newNonce }: Options): RequestSigning {
  const { origin, host } = new URL(accountPageUrl)
  const pairs = keys.map(({ key }) => keyPair(key.export()))
  const [first] = pairs
  const published = pairs.map(({ x, keyId }) => ({ kty: 'OKP', crv: 'Ed25519', kid: keyId, x, use: 'sig' }))
  const body = Buffer.from(JSON.stringify({ keys: published }))
  const agentUrl = `${origin}${directoryPath}`
  return {
    sign: (request) => (first ? signRequest(request, { key: first, agentUrl, at: clock.now(), nonce: nonce() }) : {}),
    directory: () => ({ body, headers: signDirectory(body, { keys: pairs, host, at: clock.now() }) }),
  }
}

const newNonce = () => randomIdBytes(32).toString('base64')

function keyPair(seed: Buffer): RequestKey & { x: string } {
  const { privateKey, x } = keysFromSeed(seed)
  return { privateKey, x, keyId: thumbprintOfJwk(x) }
}

/** Longer than caches may keep the directory. */
const responseSeconds = 86_400

function signDirectory(body: Buffer, { keys, host, at }: { keys: readonly RequestKey[]; host: string; at: Date }) {
  const created = Math.floor(at.getTime() / 1_000)
  const digest = contentDigest(body)
  const signed = keys.map(({ privateKey, keyId }, index) => {
    const label = index === 0 ? 'binding' : `binding${index + 1}`
    const authority = coveredComponent('@authority', new Map([['req', { type: 'boolean', value: true }]]))
    const input: InnerList = {
      items: [authority, coveredComponent('content-digest')],
      parameters: new Map([
        ['created', integerItem(created)],
        ['expires', integerItem(created + responseSeconds)],
        ['keyid', stringItem(keyId)],
        ['tag', stringItem('http-message-signatures-directory')],
      ]),
    }
    const base = `"@authority";req: ${host}\n"content-digest": ${digest}\n"@signature-params": ${writeMember(input)}`
    const signature = signEd25519(privateKey, Buffer.from(base)).toString('base64')
    return { input: `${label}=${writeMember(input)}`, signature: `${label}=:${signature}:` }
  })
  return {
    'content-digest': digest,
    'signature-input': signed.map(({ input }) => input).join(', '),
    signature: signed.map(({ signature }) => signature).join(', '),
  }
}
