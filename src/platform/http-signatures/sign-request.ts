import { createHash, type KeyObject } from 'node:crypto'
import { signEd25519 } from '../ed25519.ts'
import { type Item, type Parameters, stringItem } from './structured-fields.ts'

export type RequestKey = { privateKey: KeyObject; keyId: string }

type Outgoing = { method: string; origin: string; path: string; query: string; body: Buffer | null }
type Signing = { key: RequestKey; agentUrl: string; at: Date; nonce: string }

/** Receivers need no longer: each attempt is signed afresh. */
const lifetimeSeconds = 60
const label = 'sig1'

/**
 * The headers that sign a request as Web Bot Auth specifies. The texts are written directly, and not as structured
 * fields: a worker signs thousands a second, and none of the values has a character that needs an escape.
 */
export function signRequest({ method, origin, path, query, body }: Outgoing, { key, agentUrl, at, nonce }: Signing) {
  const created = Math.floor(at.getTime() / 1_000)
  const digest = body && contentDigest(body)
  const covered = [
    ['"@method"', method],
    ['"@authority"', new URL(origin).host],
    ['"@path"', path],
    ...(query ? [['"@query"', query]] : []),
    ...(digest ? [['"content-digest"', digest]] : []),
    [`"signature-agent";key="${label}"`, `"${agentUrl}"`],
  ]
  const input =
    `(${covered.map(([name]) => name).join(' ')});created=${created};expires=${created + lifetimeSeconds}` +
    `;keyid="${key.keyId}";alg="ed25519";nonce="${nonce}";tag="web-bot-auth"`
  const base = [...covered, ['"@signature-params"', input]].map(([name, value]) => `${name}: ${value}`).join('\n')
  return {
    ...(digest && { 'content-digest': digest }),
    'signature-agent': `${label}="${agentUrl}"`,
    'signature-input': `${label}=${input}`,
    signature: `${label}=:${signEd25519(key.privateKey, base).toString('base64')}:`,
  }
}

export const contentDigest = (body: Buffer) => `sha-256=:${createHash('sha256').update(body).digest('base64')}:`

export const coveredComponent = (name: string, parameters: Parameters = new Map()): Item => ({
  item: stringItem(name),
  parameters,
})
