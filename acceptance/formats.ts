// Small readers of the formats that the service writes: XML, HTML (forms and links), structured fields,
// identifiers, iCalendar, server-sent events. Each throws a Failure that says what is wrong.
import { Failure, type Json, show } from './checks.ts'

// ---------------------------------------------------------------------------------------------
// XML: well-formedness, and a tree of { name, attributes, children, text }

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
function decodeXml(text, what) {
  return text.replace(/&([^;]{0,12});?/g, (whole, name) => {
    if (!whole.endsWith(';'))
      throw new Failure(`${what}: expected an escaped ampersand, came ${show(text.slice(0, 80))}`)
    if (name in entities) return entities[name]
    const number = /^#x([0-9a-f]+)$/i.exec(name)?.[1]
      ? Number.parseInt(name.slice(2), 16)
      : /^#\d+$/.test(name)
        ? Number(name.slice(1))
        : undefined
    if (number === undefined) throw new Failure(`${what}: expected only XML's five entities, came &${name};`)
    return String.fromCodePoint(number)
  })
}

export type Element = { name: string; attributes: Record<string, string>; children: Element[]; text: string }

export function parseXml(source: string, what: string): Element {
  const text = source.replace(/^\uFEFF/, '')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids exactly these.
  const illegal = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.exec(text)
  if (illegal)
    throw new Failure(
      `${what}: expected no character that XML 1.0 forbids, came U+${illegal[0].codePointAt(0).toString(16)} at ${illegal.index}`,
    )
  const token =
    /<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<!DOCTYPE[^>]*>|<\/?[^\s<>/]+(?:\s+[^\s=<>/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*\/?>|[^<]+|</gy
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  for (const [part] of text.matchAll(token)) {
    const parent = open.at(-1)
    if (part === '<') throw new Failure(`${what}: expected well-formed XML, came a stray < inside <${parent.name}>`)
    if (/^<[?]|^<!--|^<!DOCTYPE/.test(part)) continue
    if (part.startsWith('<![CDATA[')) parent.text += part.slice(9, -3)
    else if (!part.startsWith('<')) parent.text += decodeXml(part, what)
    else if (part.startsWith('</')) {
      const name = part.slice(2, -1).trim()
      if (open.length === 1 || parent.name !== name)
        throw new Failure(`${what}: expected </${parent.name}>, came </${name}>`)
      open.pop()
    } else {
      const name = /^<([^\s/>]+)/.exec(part)[1]
      const attributes: Record<string, Json> = {}
      for (const [, attribute, double, single] of part.matchAll(/\s([^\s=<>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
        if (attribute in attributes) throw new Failure(`${what}: expected ${attribute} once on <${name}>, came twice`)
        attributes[attribute] = decodeXml(double ?? single, what)
      }
      const element: Element = { name, attributes, children: [], text: '' }
      parent.children.push(element)
      if (!part.endsWith('/>')) open.push(element)
    }
  }
  if (open.length > 1) throw new Failure(`${what}: expected </${open.at(-1).name}> before the end, it did not come`)
  if (root.children.length !== 1) throw new Failure(`${what}: expected one root element, came ${root.children.length}`)
  if (root.text.trim())
    throw new Failure(`${what}: expected no text outside the root element, came ${show(root.text.trim())}`)
  return root.children[0]
}

export const childrenOf = (element: Element, name: string) => element.children.filter((child) => child.name === name)
export const textOf = (element: Element, name: string) => childrenOf(element, name)[0]?.text.trim()

// ---------------------------------------------------------------------------------------------
// HTML, read as forgivingly as a small reader can

export function decodeHtml(text) {
  return text.replace(/&(#x[0-9a-f]+|#\d+|amp|lt|gt|quot|apos|nbsp|#39);/gi, (whole, name) => {
    if (name.startsWith('#x') || name.startsWith('#X')) return String.fromCodePoint(Number.parseInt(name.slice(2), 16))
    if (name.startsWith('#')) return String.fromCodePoint(Number(name.slice(1)))
    return entities[name.toLowerCase()] ?? (name.toLowerCase() === 'nbsp' ? ' ' : whole)
  })
}

export function attributesOf(tag) {
  const attributes: Record<string, Json> = {}
  for (const [, name, , double, single, bare] of tag
    .replace(/^<\/?[a-z0-9-]+/i, '')
    .matchAll(/([^\s=<>"'/]+)(\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?/gi))
    attributes[name.toLowerCase()] ??= decodeHtml(double ?? single ?? bare ?? '')
  return attributes
}

/** Every start tag of one name, as its attributes. */
export const tags = (html, name) =>
  [...html.matchAll(new RegExp(`<${name}\\b(?:[^>"']|"[^"]*"|'[^']*')*>`, 'gi'))].map(([tag]) => attributesOf(tag))

/** What a person would read. */
export const visibleText = (html) =>
  decodeHtml(
    html
      .replace(/<(script|style|template)\b[\s\S]*?<\/\1>/gi, ' ')
      .replace(/<!--[\s\S]*?-->/g, ' ')
      .replace(/<[^>]+>/g, ' '),
  ).replace(/\s+/g, ' ')

/** <link> and <a> with a given rel, as their href (resolved). */
export const linksWithRel = (html, rel, base) =>
  [...tags(html, 'link'), ...tags(html, 'a')]
    .filter((tag) => (tag.rel ?? '').toLowerCase().split(/\s+/).includes(rel))
    .map((tag) => ({ ...tag, href: tag.href === undefined ? undefined : new URL(tag.href, base).href }))

/** Forms with their fields: { action, method, fields: [{ name, type, value, checked, options }], buttons, text }. */
export function forms(html, base) {
  return [...html.matchAll(/<form\b((?:[^>"']|"[^"]*"|'[^']*')*)>([\s\S]*?)<\/form>/gi)].map(([, head, inside]) => {
    const attributes = attributesOf(`<form ${head}>`)
    const fields = []
    const buttons = []
    for (const input of tags(inside, 'input')) {
      const type = (input.type ?? 'text').toLowerCase()
      if (type === 'submit' || type === 'button' || type === 'image')
        buttons.push({ name: input.name, value: input.value ?? '', text: input.value ?? '' })
      else
        fields.push({
          ...input,
          name: input.name,
          type,
          value: input.value ?? (type === 'checkbox' || type === 'radio' ? 'on' : ''),
          checked: 'checked' in input,
        })
    }
    for (const [, open, body] of inside.matchAll(/<button\b((?:[^>"']|"[^"]*"|'[^']*')*)>([\s\S]*?)<\/button>/gi)) {
      const button = attributesOf(`<button ${open}>`)
      if ((button.type ?? 'submit').toLowerCase() === 'submit')
        buttons.push({
          name: button.name,
          value: button.value ?? '',
          text: visibleText(body).trim(),
          action: button.formaction,
        })
    }
    for (const [, open, body] of inside.matchAll(/<select\b((?:[^>"']|"[^"]*"|'[^']*')*)>([\s\S]*?)<\/select>/gi)) {
      const options = tags(body, 'option')
      const chosen = options.find((option) => 'selected' in option) ?? options[0]
      fields.push({
        ...attributesOf(`<select ${open}>`),
        type: 'select',
        value: chosen?.value ?? '',
        options: options.map((option) => option.value),
      })
    }
    for (const [, open, body] of inside.matchAll(/<textarea\b((?:[^>"']|"[^"]*"|'[^']*')*)>([\s\S]*?)<\/textarea>/gi))
      fields.push({ ...attributesOf(`<textarea ${open}>`), type: 'textarea', value: decodeHtml(body) })
    return {
      action: new URL(attributes.action || base, base).href,
      method: (attributes.method ?? 'get').toUpperCase(),
      fields: fields.filter((field) => field.name),
      buttons,
      text: visibleText(inside).trim(),
      hidden: fields.filter((field) => field.type === 'hidden' && field.name),
    }
  })
}

// ---------------------------------------------------------------------------------------------
// Structured fields (RFC 9651): a list of quoted strings with integer parameters, as the RateLimit draft writes them

export function parseRateLimit(header: Json, what: string): Json[] {
  if (typeof header !== 'string') throw new Failure(`${what}: expected a header, came none`)
  return header.split(/,\s*/).map((item) => {
    const parts = /^"([\x20-\x21\x23-\x5b\x5d-\x7e]+)"((?:;\s*[a-z*][a-z0-9_.*-]*=\d{1,15})+)$/.exec(item.trim())
    if (!parts) throw new Failure(`${what}: expected "name";parameter=integer…, came ${show(header)}`)
    const parameters: Record<string, number> = {}
    for (const [, name, value] of parts[2].matchAll(/;\s*([a-z*][a-z0-9_.*-]*)=(\d+)/g))
      parameters[name] = Number(value)
    return { name: parts[1], ...parameters }
  })
}

/** Link header (RFC 8288) as [{ href, rel, … }]. */
export function parseLink(header: Json = ''): Record<string, string>[] {
  return [...header.matchAll(/<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]+))?)*)/g)].map(
    ([, href, rest]) => {
      const link: Record<string, Json> = { href }
      for (const [, name, quoted, bare] of rest.matchAll(/;\s*([^\s=;,]+)(?:\s*=\s*(?:"([^"]*)"|([^\s;,"]+)))?/g))
        link[name.toLowerCase()] = quoted ?? bare ?? ''
      return link
    },
  )
}
export const linksOf = (reply, rel) =>
  parseLink(reply.headers.link).filter((link) => (link.rel ?? '').split(/\s+/).includes(rel))

// ---------------------------------------------------------------------------------------------
// Identifiers: a UUIDv7 in Crockford base32, lowercase, 26 characters (decisions 1)

const crockford = '0123456789abcdefghjkmnpqrstvwxyz'
/** The instant inside an identifier, or a Failure. The two spare bits may lead (as in a ULID) or trail: the text does not say. */
export function uuid7Time(identifier, what) {
  let bits = 0n
  for (const letter of identifier.split('_').at(-1)) {
    const value = crockford.indexOf(letter)
    if (value < 0) throw new Failure(`${what}: expected Crockford base32 in lowercase, came ${show(identifier)}`)
    bits = (bits << 5n) | BigInt(value)
  }
  for (const uuid of [bits, bits >> 2n]) {
    if (uuid >> 128n) continue
    if (((uuid >> 76n) & 15n) === 7n && ((uuid >> 62n) & 3n) === 2n) return Number(uuid >> 80n)
  }
  throw new Failure(`${what}: expected a UUID of version 7, came ${show(identifier)}`)
}

// ---------------------------------------------------------------------------------------------
// iCalendar and server-sent events

/** Unfolded content lines; throws when a line break is not CRLF or a line is longer than 75 octets. */
export function icsLines(bytes, what) {
  const text = bytes.toString('utf8')
  if (/(^|[^\r])\n/.test(text)) throw new Failure(`${what}: expected CRLF after every line, came a bare LF`)
  if (!text.endsWith('\r\n')) throw new Failure(`${what}: expected CRLF after the last line, it did not come`)
  for (const line of text.split('\r\n'))
    if (Buffer.byteLength(line) > 75)
      throw new Failure(`${what}: expected lines of at most 75 octets, came ${Buffer.byteLength(line)}: ${show(line)}`)
  return text
    .replace(/\r\n[ \t]/g, '')
    .split('\r\n')
    .filter(Boolean)
}

export const sseMessages = (text) =>
  text
    .split(/\r?\n\r?\n/)
    .map((block) =>
      block
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).replace(/^ /, ''))
        .join('\n'),
    )
    .filter(Boolean)
    .map((data) => {
      try {
        return JSON.parse(data)
      } catch {
        throw new Failure(`event stream: expected JSON in data, came ${show(data)}`)
      }
    })
