import { parseStrictJson } from '../strict-json.ts'
import { readPublicKey, thumbprintOfJwk } from './jwk-keys.ts'
import { AgentRefusal } from './refusal.ts'

export const directoryType = 'application/http-message-signatures-directory+json'
export const directoryLimits = { maxBytes: 65_536, maxKeys: 20, timeoutMs: 3_000 }

/**
 * The public key with this identifier in a directory; throws an `AgentRefusal` if there is none. The identifier is
 * computed from the key: what the directory calls it does not count, but must not contradict.
 */
export function findDirectoryKey(body: Buffer, keyId: string): Buffer {
  const keys = readKeys(body)
  const key = keys.find((one) => isEd25519(one) && thumbprintOfJwk(one.x) === keyId)
  if (!key || !isEd25519(key)) throw new AgentRefusal('key_not_in_directory')
  const isForSignatures = key['use'] === undefined || key['use'] === 'sig'
  const hasName = key['kid'] === undefined || key['kid'] === keyId
  const hasAlgorithm = key['alg'] === undefined || key['alg'] === 'Ed25519' || key['alg'] === 'EdDSA'
  const publicKey = readPublicKey(key.x)
  // A private half that is public proves nothing.
  if (!publicKey || !isForSignatures || !hasName || !hasAlgorithm || 'd' in key) throw new AgentRefusal('key_refused')
  return publicKey
}

type PublishedKey = Record<string, unknown>

function readKeys(body: Buffer): PublishedKey[] {
  if (body.length > directoryLimits.maxBytes) throw new AgentRefusal('directory_too_large')
  const directory = parseDirectory(body)
  const keys = isObject(directory) ? directory['keys'] : null
  if (!Array.isArray(keys) || !keys.every(isObject)) throw new AgentRefusal('directory_malformed')
  if (keys.length > directoryLimits.maxKeys) throw new AgentRefusal('directory_too_large')
  return keys
}

function parseDirectory(body: Buffer): unknown {
  try {
    return parseStrictJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  } catch {
    throw new AgentRefusal('directory_malformed')
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEd25519 = (key: PublishedKey): key is PublishedKey & { x: string } =>
  key['kty'] === 'OKP' && key['crv'] === 'Ed25519' && typeof key['x'] === 'string'
