import { lineBreak } from './escaping-template.ts'

/** The maximum length of a line in UTF-8, without its line break (RFC 5545 §3.1). */
const maxOctets = 75

/** A property whose value is plain text. */
export const icsText = (name: string, text: string): string => contentLine(name, escapeText(text))

/** A property whose value is a list of texts. */
export const icsTexts = (name: string, texts: readonly string[]): string =>
  contentLine(name, texts.map(escapeText).join(','))

/** A property whose value has another type: a time, a number, a URI. */
export const icsValue = (name: string, value: string | number): string => contentLine(name, String(value))

/** A component: its properties between BEGIN and END. */
export const icsComponent = (name: string, lines: readonly string[]): string =>
  [contentLine('BEGIN', name), ...lines, contentLine('END', name)].join('')

/** A time in UTC, which needs no time zone definition. */
export function icsTime(time: string): string {
  const instant = new Date(Math.min(Date.parse(time), lastInstant))
  return instant.toISOString().replace(/\.\d+|[-:]/g, '')
}

// iCalendar years have four digits, but a local time late in 9999 can be in the year 10000 in UTC.
const lastInstant = Date.UTC(9999, 11, 31, 23, 59, 59)

const escapeText = (text: string): string =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .split(lineBreak)
    .join('\\n')

/** Exactly one property: control characters and line breaks, which could start another, are removed. */
function contentLine(name: string, value: string): string {
  return fold(`${name}:${value}`.toWellFormed().replace(control, ''))
}

const control = /[[\p{Cc}\p{Zl}\p{Zp}]--\t]/gv

/** Folds a long line into several; each continuation starts with a space. Never splits a character. */
function fold(line: string): string {
  const octets = Buffer.from(line)
  const parts: string[] = []
  let start = 0
  while (start < octets.length) {
    let end = start + (start === 0 ? maxOctets : maxOctets - 1)
    while (isWithinCharacter(octets[end])) end--
    parts.push(octets.toString('utf8', start, end))
    start = end
  }
  return `${parts.join('\r\n ')}\r\n`
}

/** In UTF-8, every octet of a character except the first begins with the bits 10. */
const isWithinCharacter = (octet = 0): boolean => (octet & 0xc0) === 0x80
