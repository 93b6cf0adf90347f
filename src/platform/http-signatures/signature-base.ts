import { AgentRefusal, type AgentRefusalCode } from './refusal.ts'
import {
  type Dictionary,
  type FieldFault,
  FieldSyntaxError,
  type InnerList,
  type Item,
  readDictionary,
  writeMember,
} from './structured-fields.ts'

/** What a signature can cover. `origin` is the configured one, never what a proxy forwarded. */
export type SignedMessage = {
  method: string
  /** For example `https://messages.example`. */
  origin: string
  path: string
  /** Empty, or with its question mark. */
  query: string
  headers: Readonly<Record<string, string | undefined>>
}

/** Header fields that can be covered. None contains a secret, because the base is stored until it is verified. */
const readableFields = new Set(['content-digest', 'content-type', 'content-length', 'date', 'signature-agent'])

/** The only field of which a signature can cover a single member. */
const fieldWithMembers = 'signature-agent'

/** The text that is signed (RFC 9421, section 2.5). */
export function signatureBase(message: SignedMessage, input: InnerList, fields = openFields(message.headers)): string {
  const lines = input.items.map((component) => {
    const identifier = writeMember(component)
    return `${identifier}: ${componentValue(message, component, fields)}`
  })
  return [...lines, `"@signature-params": ${writeMember(input)}`].join('\n')
}

function componentValue(message: SignedMessage, { item, parameters }: Item, fields: Fields): string {
  if (item.type !== 'string') throw new AgentRefusal('malformed_header')
  const key = parameters.get('key')
  if (parameters.size > (key ? 1 : 0)) throw new AgentRefusal('unsupported_component')
  const derive = derived.get(item.value)
  if (derive && !key) return derive(message)
  if (!readableFields.has(item.value)) throw new AgentRefusal('unsupported_component')
  const value = message.headers[item.value]?.trim()
  if (value === undefined) throw new AgentRefusal('unsupported_component')
  if (!/^[\x20-\x7e]*$/.test(value)) throw new AgentRefusal('malformed_header')
  if (!key) return value
  const isReadable = item.value === fieldWithMembers && key.type === 'string'
  const member = isReadable ? fields(fieldWithMembers).get(key.value) : undefined
  if (!member) throw new AgentRefusal('unsupported_component')
  return writeMember(member)
}

const derived = new Map<string, (message: SignedMessage) => string>([
  ['@method', ({ method }) => method],
  ['@authority', ({ origin }) => new URL(origin).host],
  ['@scheme', ({ origin }) => new URL(origin).protocol.slice(0, -1)],
  ['@path', ({ path }) => path],
  ['@query', ({ query }) => query || '?'],
  ['@target-uri', ({ origin, path, query }) => `${new URL(origin).origin}${path}${query}`],
  ['@request-target', ({ path, query }) => `${path}${query}`],
])

/** Gives a header field of a message as a dictionary. */
export type Fields = (name: string) => Dictionary

/** Reads each header field once, when it is first needed. A field that is missing is an empty dictionary. */
export function openFields(headers: SignedMessage['headers']): Fields {
  const read = new Map<string, Dictionary>()
  return (name) => {
    const known = read.get(name)
    if (known) return known
    const field = readField(headers[name] ?? '')
    read.set(name, field)
    return field
  }
}

function readField(text: string): Dictionary {
  try {
    return readDictionary(text)
  } catch (error) {
    if (!(error instanceof FieldSyntaxError)) throw error
    throw new AgentRefusal(refusals[error.fault])
  }
}

const refusals: Record<FieldFault, AgentRefusalCode> = {
  malformed: 'malformed_header',
  repeated: 'repeated_name',
  too_large: 'too_large',
}
