/**
 * Writes JSON in its canonical form (RFC 8785), of which signatures are made: fields sorted by UTF-16 code units, no
 * spaces, and numbers and strings as JSON.stringify writes them. Throws if JSON cannot hold a value exactly.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return writeNumber(value)
  if (typeof value === 'string') return writeString(value)
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(',')}]`
  if (isPlainObject(value)) {
    // Without a comparison function, sort() compares UTF-16 code units.
    const names = Object.keys(value).sort()
    return `{${names.map((name) => `${writeString(name)}:${canonicalJson(value[name])}`).join(',')}}`
  }
  throw new TypeError(`canonical JSON cannot hold a value of type ${typeof value}`)
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`canonical JSON cannot hold the number ${value}`)
  return JSON.stringify(value)
}

function writeString(value: string): string {
  if (!value.isWellFormed()) throw new TypeError('canonical JSON cannot hold a string with a lone surrogate')
  return JSON.stringify(value)
}

/** A Date, a Map or a Buffer would lose its contents. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
