/**
 * Dictionaries of RFC 8941, as far as HTTP message signatures need them. Stricter than the RFC: a repeated key is an
 * error, because two verifiers must not see two different fields. Decimals are not read; no field here has them.
 */
export type BareItem =
  | { type: 'integer'; value: number }
  | { type: 'string'; value: string }
  | { type: 'token'; value: string }
  | { type: 'bytes'; value: Buffer }
  | { type: 'boolean'; value: boolean }

export type Parameters = ReadonlyMap<string, BareItem>
export type Item = { item: BareItem; parameters: Parameters }
export type InnerList = { items: readonly Item[]; parameters: Parameters }
export type Member = Item | InnerList
export type Dictionary = ReadonlyMap<string, Member>

export const isInnerList = (member: Member): member is InnerList => 'items' in member

export type FieldFault = 'malformed' | 'repeated' | 'too_large'

/** Why a field cannot be read. Contains no part of the field. */
export class FieldSyntaxError extends SyntaxError {
  readonly fault: FieldFault

  constructor(message: string, fault: FieldFault = 'malformed') {
    super(message)
    this.fault = fault
  }
}

/** Far more than a signature needs. `maxEntries` counts the members of a dictionary or a list, or parameters. */
export const fieldLimits = { maxLength: 8_192, maxEntries: 16 }

/** Reads a dictionary, or throws a `FieldSyntaxError`. The time grows with the length of the text, and no faster. */
export function readDictionary(text: string): Dictionary {
  if (text.length > fieldLimits.maxLength) throw new FieldSyntaxError('the field is too long', 'too_large')
  const reader = new FieldReader(trimSpaces(text))
  return reader.dictionary()
}

/** A pattern such as / +$/ starts again at each space, so its time is the square of the number of spaces. */
function trimSpaces(text: string): string {
  let [from, to] = [0, text.length]
  while (text[from] === ' ') from += 1
  while (to > from && text[to - 1] === ' ') to -= 1
  return text.slice(from, to)
}

function assertRoom(count: number): void {
  if (count >= fieldLimits.maxEntries) throw new FieldSyntaxError('there are too many entries', 'too_large')
}

class FieldReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  dictionary(): Dictionary {
    const members = new Map<string, Member>()
    while (!this.#isAtEnd()) {
      const key = this.#key()
      if (members.has(key)) throw new FieldSyntaxError('a key appears twice', 'repeated')
      assertRoom(members.size)
      members.set(key, this.#skip('=') ? this.#member() : { item: yes, parameters: this.#parameters() })
      this.#take(/[ \t]*/y)
      if (this.#isAtEnd()) break
      if (!this.#skip(',')) throw new FieldSyntaxError('a comma is missing')
      this.#take(/[ \t]*/y)
      if (this.#isAtEnd()) throw new FieldSyntaxError('the field ends with a comma')
    }
    return members
  }

  #member(): Member {
    return this.#skip('(') ? this.#innerList() : this.#item()
  }

  #innerList(): InnerList {
    const items: Item[] = []
    for (;;) {
      const spaces = this.#take(/ */y)
      if (this.#skip(')')) return { items, parameters: this.#parameters() }
      if (items.length > 0 && spaces === '') throw new FieldSyntaxError('a space is missing in a list')
      assertRoom(items.length)
      items.push(this.#item())
    }
  }

  #item(): Item {
    return { item: this.#bareItem(), parameters: this.#parameters() }
  }

  #parameters(): Parameters {
    const parameters = new Map<string, BareItem>()
    while (this.#skip(';')) {
      this.#take(/ */y)
      const key = this.#key()
      if (parameters.has(key)) throw new FieldSyntaxError('a parameter appears twice', 'repeated')
      assertRoom(parameters.size)
      parameters.set(key, this.#skip('=') ? this.#bareItem() : yes)
    }
    return parameters
  }

  #bareItem(): BareItem {
    const text = this.#take(/"(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"/y)
    if (text) return { type: 'string', value: text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') }
    const bytes = this.#take(/:[A-Za-z0-9+/]*={0,2}:/y)
    if (bytes) return { type: 'bytes', value: readBase64(bytes.slice(1, -1)) }
    const integer = this.#take(/-?[0-9]{1,15}(?![0-9.])/y)
    if (integer) return { type: 'integer', value: Number(integer) }
    const boolean = this.#take(/\?[01]/y)
    if (boolean) return { type: 'boolean', value: boolean === '?1' }
    const token = this.#take(/[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*/y)
    if (token) return { type: 'token', value: token }
    throw new FieldSyntaxError('a value is not valid')
  }

  #key(): string {
    const key = this.#take(/[a-z*][a-z0-9_.*-]*/y)
    if (!key) throw new FieldSyntaxError('a key is not valid')
    return key
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [found = ''] = pattern.exec(this.#text) ?? []
    this.#at += found.length
    return found
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  #isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }
}

const yes: BareItem = { type: 'boolean', value: true }

/** Node accepts spare bits and junk in base64; two texts must not mean the same bytes. */
function readBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) throw new FieldSyntaxError('the base64 is not canonical')
  return bytes
}

export function writeMember(member: Member): string {
  if (!isInnerList(member)) return `${writeItem(member.item)}${writeParameters(member.parameters)}`
  const items = member.items.map(({ item, parameters }) => `${writeItem(item)}${writeParameters(parameters)}`)
  return `(${items.join(' ')})${writeParameters(member.parameters)}`
}

export function writeParameters(parameters: Parameters): string {
  return [...parameters]
    .map(([key, item]) => (item.type === 'boolean' && item.value ? `;${key}` : `;${key}=${writeItem(item)}`))
    .join('')
}

export function writeItem(item: BareItem): string {
  if (item.type === 'string') return `"${item.value.replaceAll(/["\\]/g, '\\$&')}"`
  if (item.type === 'bytes') return `:${item.value.toString('base64')}:`
  if (item.type === 'boolean') return item.value ? '?1' : '?0'
  return String(item.value)
}

export const stringItem = (value: string): BareItem => ({ type: 'string', value })
export const integerItem = (value: number): BareItem => ({ type: 'integer', value })
