/** Control characters, formatting characters and line breaks, which could change what the terminal shows. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu

/** The text without characters that a terminal would interpret. */
export const printable = (text: string): string => text.replaceAll(unprintable, '')

/** The text without these characters, except for the escape sequences that `own` matches. */
export function printableExcept(text: string, own: RegExp): string {
  // Every second part is a match, because the pattern is in a group.
  const parts = text.split(new RegExp(`(${own.source})`))
  return parts.map((part, index) => (index % 2 === 1 ? part : printable(part))).join('')
}

/** The text on one line, without characters that a terminal would interpret. */
export const oneLine = (text: string): string => printable(text.replaceAll(/\s+/gu, ' ')).trim()

/** JSON in which characters that a terminal would interpret are escaped. The line breaks between fields stay. */
export function safeJson(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, null, indent) ?? 'null'
  return text.replaceAll(unprintable, (character) => (character === '\n' ? character : escaped(character)))
}

const escaped = (character: string) =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

const isCombining = /^\p{M}$/u
const isEmoji = /^\p{Emoji_Presentation}$/u
/** Two of these are a flag. */
const isHalfFlag = /^\p{Regional_Indicator}$/u
/** Scripts whose characters take two columns, by their first and last code point. */
const wideRanges = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
] as const

function columnsOf(character: string): number {
  if (isCombining.test(character)) return 0
  if (isHalfFlag.test(character)) return 1
  const code = character.codePointAt(0) ?? 0
  return isEmoji.test(character) || wideRanges.some(([from, to]) => code >= from && code <= to) ? 2 : 1
}

/** The number of columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

/** The beginning of the text that fits in this many columns, with … if it is not all. */
export function fit(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let [start, width] = ['', 0]
  for (const character of text) {
    width += columnsOf(character)
    if (width > columns - 1) break
    start += character
  }
  return `${start.trimEnd()}…`
}

/** The text with spaces up to this many columns. */
export const pad = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - widthOf(text)))

/** Lines of at most this many columns, broken between words. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > columns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** An amount of money, such as $0.02 or $12.00. */
export function usd(micros: number): string {
  const [whole = '0', part = ''] = (Math.abs(micros) / 1_000_000).toFixed(6).split('.')
  return `${micros < 0 ? '-' : ''}$${whole}.${part.replace(/0{1,4}$/, '')}`
}

/** A time in UTC, to the second. */
export const time = (iso: string): string => {
  const at = new Date(iso)
  return Number.isNaN(at.getTime()) ? printable(iso) : `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
