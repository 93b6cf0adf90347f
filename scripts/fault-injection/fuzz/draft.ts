import type { Random } from '../../../tooling/random.ts'
import { validBodies } from './odd-bodies.ts'

/** A request while oddities change it. Text represents bytes, one character each (latin1). */
export type Draft = {
  method: string
  target: string
  version: string
  /** Header lines without line endings. */
  headers: string[]
  body: Buffer
  /** How the end of the body is signalled; `own` if an oddity has already written it. */
  framing: 'length' | 'chunked' | 'own'
  /** False if the request may have fewer bytes than announced: then no response is required. */
  isWhole: boolean
}

/** The target of the requests, and the account that sends them. */
export type Target = {
  authority: string
  apiKey: string | undefined
  /** A well-formed key that belongs to no account. */
  unknownKey: string
}

/** One way to make a request odd. Oddities can be combined. */
export type Oddity = (draft: Draft, random: Random, target: Target) => void

type Base = [method: string, target: string, body?: string]

const bases: readonly Base[] = [
  ['GET', '/v1/status'],
  ['GET', '/v1/account'],
  ['GET', '/v1/account'],
  ['GET', '/v1/pricing'],
  ['GET', '/v1/policy'],
  ['HEAD', '/v1/status'],
  ['POST', '/v1/accounts', validBodies.newcomer],
  ['POST', '/v1/accounts', validBodies.newcomer],
  ['PATCH', '/v1/account', validBodies.turnOff],
  ['PATCH', '/v1/account', validBodies.change],
  ['DELETE', '/v1/account'],
  ['GET', '/openapi.json'],
  ['GET', '/'],
]

/** A request without any fault. */
export function newDraft(random: Random, { authority, apiKey }: Target): Draft {
  const [method, target, body] = random.pick(bases)
  const headers = [`Host: ${authority}`]
  if (apiKey && target === '/v1/account') headers.push(`Authorization: Bearer ${apiKey}`)
  if (body !== undefined) headers.push('Content-Type: application/json')
  if (random.chance(0.5)) headers.push('Connection: close')
  const framing = random.chance(0.8) ? 'length' : 'chunked'
  return { method, target, version: 'HTTP/1.1', headers, body: Buffer.from(body ?? ''), framing, isWhole: true }
}

/** Changes the draft into a request whose body the server reads. */
export function asWrite(draft: Draft, random: Random, { apiKey }: Target): void {
  if (draft.method === 'POST' || draft.method === 'PATCH') return
  const isPatch = apiKey !== undefined && random.chance(0.3)
  draft.method = isPatch ? 'PATCH' : 'POST'
  draft.target = isPatch ? '/v1/account' : '/v1/accounts'
  replaceBody(draft, isPatch ? validBodies.turnOff : validBodies.newcomer)
  setHeader(draft, 'Content-Type', 'application/json')
  if (isPatch) setHeader(draft, 'Authorization', `Bearer ${apiKey}`)
}

export function replaceBody(draft: Draft, body: Buffer | string): void {
  draft.body = Buffer.from(body)
  // An earlier mutation declared the length of the old body.
  if (draft.framing === 'own') draft.isWhole = false
}

export function setHeader(draft: Draft, name: string, value: string): void {
  dropHeader(draft, name)
  draft.headers.push(`${name}: ${value}`)
}

export function dropHeader(draft: Draft, name: string): void {
  draft.headers = draft.headers.filter((line) => !line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
}

export function render(draft: Draft, random: Random): Buffer {
  const { method, target, version, headers, body, framing } = draft
  const hasBody = body.length > 0 || method === 'POST'
  const announced =
    framing === 'own' || !hasBody
      ? []
      : [framing === 'length' ? `Content-Length: ${body.length}` : 'Transfer-Encoding: chunked']
  const line = [method, target, version].filter((part, index) => index < 2 || part !== '').join(' ')
  const head = `${[line, ...headers, ...announced].join('\r\n')}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), framing === 'chunked' && hasBody ? inChunks(body, random) : body])
}

export function inChunks(body: Buffer, random: Random): Buffer {
  const parts: Buffer[] = []
  for (let start = 0; start < body.length; ) {
    const part = body.subarray(start, start + 1 + random.below(Math.max(body.length, 1)))
    parts.push(
      Buffer.from(`${part.length.toString(16)}${random.chance(0.1) ? ';a=b' : ''}\r\n`),
      part,
      Buffer.from('\r\n'),
    )
    start += part.length
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}
