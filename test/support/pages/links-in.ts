import ICAL from 'ical.js'

type Source = { url: string; type: string; text: string; headers: Headers }

/** Every absolute address that a file links to, according to its format; including its Link headers. */
export function linksIn(source: Source): string[] {
  const [mediaType = ''] = source.type.split(';')
  const reader = readers.find(([pattern]) => pattern.test(mediaType))?.[1]
  const found = [...(reader?.(source.text) ?? []), ...linkHeaders(source.headers)]
  return [...new Set(found.map((link) => URL.parse(link, source.url)?.href).filter((link) => link !== undefined))]
}

/** By content type. Contracts have none: their addresses are examples. */
const readers: readonly [RegExp, (text: string) => string[]][] = [
  [/^text\/html$/, (text) => attributes(text, /\b(?:href|src|action)="([^"]*)"/g)],
  [
    /^application\/(rss\+)?xml$/,
    (text) => attributes(text, /<(?:loc|link|guid|docs)(?: [^>]*)?>([^<]*)<|\bhref="([^"]*)"/g),
  ],
  [/^application\/problem\+json$/, () => []],
  [/[/+]json$/, (text) => addressesIn(JSON.parse(text))],
  [/^text\/(markdown|plain)$/, inMarkdown],
  [/^text\/calendar$/, inCalendar],
  [/^text\/javascript$/, (text) => attributes(text, /\bfrom '([^']+)'/g)],
]

const attributes = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => unescaped(match.slice(1).find((part) => part !== undefined) ?? ''))

/** Our markup writes reserved HTML and XML characters as numeric references. */
export const unescaped = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))).replaceAll('&amp;', '&')

/** Strings that are addresses as a whole, at any depth. Excludes user text and the examples of a contract. */
function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:\/\/\S+$/.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null || 'openapi' in value) return []
  return Object.entries(value).flatMap(([name, member]) => (name === 'content' ? [] : addressesIn(member)))
}

/** `[…](address)` outside code, and fields such as `Sitemap: address`. */
function inMarkdown(text: string): string[] {
  const prose = text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '')
  const links = prose.matchAll(/(?<!\\)\]\(([^)\s]+)\)|^[A-Z][\w-]+: (https?:\/\/\S+)$/gm)
  return [...links].map(([, target, field]) => String(target ?? field))
}

function inCalendar(text: string): string[] {
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  return events.map((event) => String(event.getFirstPropertyValue('url') ?? '')).filter((address) => address !== '')
}

const linkHeaders = (headers: Headers) =>
  [...(headers.get('link') ?? '').matchAll(/<([^>]*)>\s*;/g)].map(([, target = '']) => target)
