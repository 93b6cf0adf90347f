import { Refusal } from './refusal.ts'
import { hasLoneSurrogate } from './strict-json.ts'

/** JSON in the form of RFC 8785. Refuses values that JSON cannot carry unchanged, which `JSON.stringify` drops or replaces. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return canonicalString(value)
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  // `map` skips holes in a list; `from` makes them undefined.
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(',')}]`
  if (isPlainObject(value)) {
    const members = Object.keys(value)
      // By UTF-16 units, as `sort` compares.
      .sort()
      .map((name) => `${canonicalString(name)}:${canonicalJson(value[name])}`)
    return `{${members.join(',')}}`
  }
  throw new Refusal('json_not_serializable', `Its type: ${typeof value}.`)
}

function canonicalString(text: string): string {
  if (hasLoneSurrogate(text)) throw new Refusal('json_lone_surrogate')
  return JSON.stringify(text)
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
