import { createHash, timingSafeEqual } from 'node:crypto'
import { isPublishedTestKey } from '../ed25519.ts'
import { readAgentUrl } from './agent-url.ts'
import { isSignedBy } from './jwk-keys.ts'
import { AgentRefusal } from './refusal.ts'
import { type Fields, openFields, type SignedMessage, signatureBase } from './signature-base.ts'
import { type BareItem, type Dictionary, type InnerList, isInnerList, writeMember } from './structured-fields.ts'

export type ReceivedMessage = SignedMessage & { body: Buffer | null }

/** What is needed to verify a signature once the key is known. */
export type ReadSignature = {
  agentUrl: string
  domain: string
  keyId: string
  nonce: string
  expiresAt: Date
  base: string
  signature: Buffer
}

/** Also for reads: whoever sees a signature could send it in the name of another account until it expires. */
const maxLifetimeSeconds = 300
/** How far the clock of an agent may be ahead of ours. */
const maxAheadSeconds = 30
const maxNonceLength = 128
/** The table `agent_keys` keeps no longer base. */
const maxBaseLength = 8_192

/**
 * Checks everything about a signature that needs no key: form, time, what it covers, and the digest of the body. Throws
 * an `AgentRefusal`.
 */
export function readSignature(request: ReceivedMessage, at: Date): ReadSignature {
  const fields = openFields(request.headers)
  const { label, input } = chooseSignature(fields('signature-input'))
  const signature = fields('signature').get(label)
  if (!signature || isInnerList(signature)) throw new AgentRefusal('no_signature')
  if (signature.item.type !== 'bytes' || signature.parameters.size > 0) throw new AgentRefusal('malformed_header')
  if (signature.item.value.length !== 64) throw new AgentRefusal('wrong_signature')
  const { keyId, nonce, expiresAt } = readParameters(input, at)
  const covered = coveredComponents(input)
  const agent = readAgentUrl(coveredAgent(fields, input))
  requireCoverage(request, covered)
  checkDigest(request, covered, fields)
  const base = signatureBase(request, input, fields)
  if (base.length > maxBaseLength) throw new AgentRefusal('too_large')
  return { ...agent, keyId, nonce, expiresAt, base, signature: signature.item.value }
}

/** Verifies a signature that was read before. */
export function assertSignedBy(
  { base, signature }: Pick<ReadSignature, 'base' | 'signature'>,
  publicKey: Buffer,
): void {
  if (!isSignedBy(publicKey, Buffer.from(base), signature)) throw new AgentRefusal('wrong_signature')
}

/** Checks a request and its signature at once, for a key that is known. */
export function verifyRequest(request: ReceivedMessage, at: Date, publicKey: Buffer): ReadSignature {
  const read = readSignature(request, at)
  assertSignedBy(read, publicKey)
  return read
}

function chooseSignature(inputs: Dictionary): { label: string; input: InnerList } {
  const tagged = [...inputs].filter(([, member]) => stringOf(member.parameters.get('tag')) === 'web-bot-auth')
  if (tagged.length > 1) throw new AgentRefusal('ambiguous')
  const [label, input] = tagged[0] ?? []
  if (label === undefined || !input) throw new AgentRefusal('no_signature')
  if (!isInnerList(input)) throw new AgentRefusal('malformed_header')
  return { label, input }
}

function readParameters({ parameters }: InnerList, at: Date) {
  const created = integerOf(parameters.get('created'))
  const expires = integerOf(parameters.get('expires'))
  const keyId = stringOf(parameters.get('keyid'))
  const nonce = stringOf(parameters.get('nonce'))
  if (created === null || expires === null || keyId === null || !nonce) throw new AgentRefusal('missing_parameter')
  const algorithm = parameters.get('alg')
  if (algorithm && stringOf(algorithm) !== 'ed25519') throw new AgentRefusal('wrong_algorithm')
  if (nonce.length > maxNonceLength) throw new AgentRefusal('malformed_header')
  if (isPublishedTestKey(keyId)) throw new AgentRefusal('published_test_key')
  if (!/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(keyId)) throw new AgentRefusal('key_id_refused')
  const now = at.getTime() / 1_000
  if (created > now + maxAheadSeconds) throw new AgentRefusal('created_in_future')
  if (expires <= now) throw new AgentRefusal('expired')
  if (expires <= created || expires - created > maxLifetimeSeconds) throw new AgentRefusal('bad_lifetime')
  return { keyId, nonce, expiresAt: new Date(expires * 1_000) }
}

/** The covered components by their identifiers. RFC 9421 forbids one to appear twice, in any order of parameters. */
function coveredComponents({ items }: InnerList): ReadonlySet<string> {
  const identifiers = items.map(({ item, parameters }) =>
    writeMember({ item, parameters: new Map([...parameters].sort(([one], [other]) => (one < other ? -1 : 1))) }),
  )
  const covered = new Set(identifiers)
  if (covered.size !== items.length) throw new AgentRefusal('repeated_name')
  return covered
}

/** The one member of Signature-Agent that the signature covers. Members with parameters do not count (draft -01). */
function coveredAgent(fields: Fields, { items }: InnerList): string {
  const keys = items
    .filter(({ item }) => stringOf(item) === 'signature-agent')
    .map(({ parameters }) => stringOf(parameters.get('key')))
  if (keys.length > 1) throw new AgentRefusal('ambiguous')
  const [key] = keys
  if (typeof key !== 'string') throw new AgentRefusal('agent_not_covered')
  const member = fields('signature-agent').get(key)
  if (!member || isInnerList(member) || member.parameters.size > 0) throw new AgentRefusal('agent_not_covered')
  const url = stringOf(member.item)
  if (url === null) throw new AgentRefusal('malformed_header')
  return url
}

/** A signature is of one request: it proves nothing about another one. */
function requireCoverage({ query, body }: ReceivedMessage, covered: ReadonlySet<string>): void {
  const has = (...names: string[]) => names.some((name) => covered.has(`"${name}"`))
  if (!has('@authority', '@target-uri')) throw new AgentRefusal('authority_not_covered')
  if (body && body.length > 0 && !has('content-digest')) throw new AgentRefusal('digest_not_covered')
  if (!has('@method')) throw new AgentRefusal('method_not_covered')
  if (!has('@path', '@target-uri', '@request-target')) throw new AgentRefusal('path_not_covered')
  if (query && !has('@query', '@target-uri', '@request-target')) throw new AgentRefusal('query_not_covered')
}

/** Every digest of a known algorithm must match, and one must be known. Computed only for a covered digest. */
function checkDigest({ body }: ReceivedMessage, covered: ReadonlySet<string>, fields: Fields): void {
  if (!covered.has('"content-digest"')) return
  const digests = [...fields('content-digest')].filter(([name]) => hashes.has(name))
  if (digests.length === 0) throw new AgentRefusal('digest_mismatch')
  for (const [name, member] of digests) {
    if (isInnerList(member) || member.item.type !== 'bytes') throw new AgentRefusal('malformed_header')
    const actual = createHash(hashes.get(name) as string)
      .update(body ?? '')
      .digest()
    const given = member.item.value
    if (given.length !== actual.length || !timingSafeEqual(given, actual)) throw new AgentRefusal('digest_mismatch')
  }
}

const hashes = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
])

const stringOf = (item: BareItem | undefined) => (item?.type === 'string' ? item.value : null)
const integerOf = (item: BareItem | undefined) => (item?.type === 'integer' ? item.value : null)
