import { createHash, type KeyObject } from 'node:crypto'
import { signEd25519 } from '../ed25519.ts'
import { type SignedMessage, signatureBase } from './signature-base.ts'
import {
  type InnerList,
  type Item,
  integerItem,
  type Parameters,
  stringItem,
  writeMember,
} from './structured-fields.ts'

export type RequestKey = { privateKey: KeyObject; keyId: string }

type Outgoing = { method: string; origin: string; path: string; query: string; body: Buffer | null }
type Signing = { key: RequestKey; agentUrl: string; at: Date; nonce: string }

/** Receivers need no longer: each attempt is signed afresh. */
const lifetimeSeconds = 60
const label = 'sig1'

/** The headers that sign a request as Web Bot Auth specifies. */
export function signRequest({ body, ...request }: Outgoing, { key, agentUrl, at, nonce }: Signing) {
  const created = Math.floor(at.getTime() / 1_000)
  const headers = {
    ...(body && { 'content-digest': contentDigest(body) }),
    'signature-agent': `${label}=${writeMember({ item: stringItem(agentUrl), parameters: new Map() })}`,
  }
  const items = [
    ...['@method', '@authority', '@path', ...(request.query ? ['@query'] : []), ...(body ? ['content-digest'] : [])],
  ].map((name) => coveredComponent(name))
  const input: InnerList = {
    items: [...items, coveredComponent('signature-agent', new Map([['key', stringItem(label)]]))],
    parameters: new Map([
      ['created', integerItem(created)],
      ['expires', integerItem(created + lifetimeSeconds)],
      ['keyid', stringItem(key.keyId)],
      ['alg', stringItem('ed25519')],
      ['nonce', stringItem(nonce)],
      ['tag', stringItem('web-bot-auth')],
    ]),
  }
  return { ...headers, ...signatureFields(key, label, { ...request, headers }, input) }
}

export const contentDigest = (body: Buffer) => `sha-256=:${createHash('sha256').update(body).digest('base64')}:`

export const coveredComponent = (name: string, parameters: Parameters = new Map()): Item => ({
  item: stringItem(name),
  parameters,
})

function signatureFields(key: RequestKey, label: string, message: SignedMessage, input: InnerList) {
  const signature = signEd25519(key.privateKey, Buffer.from(signatureBase(message, input)))
  return {
    'signature-input': `${label}=${writeMember(input)}`,
    signature: `${label}=:${signature.toString('base64')}:`,
  }
}
