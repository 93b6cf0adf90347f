import { type Bytes, textOf } from './bytes.ts'
import { Refusal } from './refusal.ts'

export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [name: string]: Json }

const maxDepth = 64
/** No double needs more characters. Longer numbers only cost time. */
const maxNumberLength = 400
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const space = /[\t\n\r ]*/y
const words: [string, Json][] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/**
 * Parses JSON that means the same to every reader: no name twice in an object, no half surrogate pairs, and no number
 * that changes when it is read. `JSON.parse` accepts all of these.
 */
export function parseStrictJson(source: string | Bytes): Json {
  const text = typeof source === 'string' ? source : textOf(source)
  if (text === undefined) throw new Refusal('json_malformed', 'It is not UTF-8.')
  const reader = new Reader(text)
  const value = reader.value(0)
  reader.end()
  return value
}

/** Whether a value is an object with names, and not a list. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const hasLoneSurrogate = (text: string): boolean => /\p{Surrogate}/u.test(text)

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): Json {
    if (depth > maxDepth) throw new Refusal('json_too_deep')
    this.#match(space)
    const next = this.#text[this.#at]
    if (next === '{') return this.#object(depth)
    if (next === '[') return this.#list(depth)
    if (next === '"') return this.#string()
    const word = words.find(([name]) => this.#text.startsWith(name, this.#at))
    if (!word) return this.#number()
    this.#at += word[0].length
    return word[1]
  }

  end(): void {
    this.#match(space)
    if (this.#at < this.#text.length) throw this.#malformed()
  }

  #object(depth: number): JsonObject {
    const members = new Map<string, Json>()
    this.#at++
    if (!this.#takes('}'))
      do {
        this.#match(space)
        const name = this.#string()
        if (members.has(name)) throw new Refusal('json_duplicate_name', `The name: ${JSON.stringify(name)}.`)
        this.#expect(':')
        members.set(name, this.value(depth + 1))
      } while (this.#continues('}'))
    // Unlike an assignment, this makes `__proto__` a name like any other.
    return Object.fromEntries(members)
  }

  #list(depth: number): Json[] {
    const items: Json[] = []
    this.#at++
    if (!this.#takes(']'))
      do {
        items.push(this.value(depth + 1))
      } while (this.#continues(']'))
    return items
  }

  #string(): string {
    const start = this.#at
    if (this.#text[start] !== '"') throw this.#malformed()
    for (this.#at++; this.#text[this.#at] !== '"'; this.#at++) {
      if (this.#at >= this.#text.length) throw this.#malformed()
      if (this.#text[this.#at] === '\\') this.#at++
    }
    this.#at++
    let value: string
    try {
      // Checks the escapes, and refuses control characters.
      value = JSON.parse(this.#text.slice(start, this.#at))
    } catch {
      throw this.#malformed()
    }
    if (hasLoneSurrogate(value)) throw new Refusal('json_lone_surrogate')
    return value
  }

  #number(): number {
    const written = this.#match(number)
    if (!written) throw this.#malformed()
    const value = written.length > maxNumberLength ? Number.NaN : Number(written)
    if (!Number.isFinite(value) || decimal(written) !== decimal(String(value)))
      throw new Refusal('json_number_changed', `The number: ${written.slice(0, 40)}.`)
    return value
  }

  #takes(character: string): boolean {
    this.#match(space)
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #expect(character: string): void {
    if (!this.#takes(character)) throw this.#malformed()
  }

  /** Whether another item follows; otherwise the list or object ends here. */
  #continues(closing: string): boolean {
    if (this.#takes(',')) return true
    this.#expect(closing)
    return false
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #malformed(): Refusal {
    // Other languages do not count in UTF-16.
    const { length } = Array.from(this.#text.slice(0, this.#at))
    return new Refusal('json_malformed', `It fails at character ${length + 1}.`)
  }
}

/** The exact value of a written number, as digits and a power of ten. */
function decimal(written: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? []
  const all = `${whole}${fraction}`.replace(/^0+/, '')
  // In a pattern, `0+$` would start again at every zero.
  let end = all.length
  while (all[end - 1] === '0') end -= 1
  const digits = all.slice(0, end)
  if (!digits) return '0'
  return `${sign}${digits}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(all.length - digits.length)}`
}
