import { type Escaped, escapingTemplate, lineBreak } from './escaping-template.ts'

/** Markdown that is already escaped. */
export type Markdown = Escaped<'markdown'>

/** Escapes every value as a part of one line: what breaks lines becomes a space. */
export const markdown = escapingTemplate('markdown', (text) => escapeLine(linesOf(text).join(' ')))

/**
 * The text as a quotation, in which every line bears the mark. Paragraphs stay apart, lines break where they broke,
 * and a renderer shows the characters that were written.
 */
export function quotation(text: string): Markdown {
  const lines = linesOf(text).map((line) => (line.trim() === '' ? '' : escapeLine(line)))
  const quoted = lines.map((line, at) => (line === '' ? '>' : `> ${line}${lines[at + 1] ? '\\' : ''}`))
  return asMarkdown`${quoted.join('\n')}`
}

/** A link that shows where it leads. */
export const address = (url: string): Markdown => asMarkdown`<${url.replace(/[<>\\\s]/g, encodeURIComponent)}>`

/** Only for what is escaped already, in this file. */
const asMarkdown = escapingTemplate('markdown', (text) => text)

/** Without the controls, which no page shows and a terminal obeys. */
const linesOf = (text: string): string[] =>
  text
    .toWellFormed()
    .split(lineBreak)
    .map((line) => line.replace(/[\p{Cc}--\t]/gv, ''))

const escapeLine = (line: string): string =>
  line
    .replace(active, '\\$&')
    .replace(linkStart, '$1\\$2')
    .replace(blockStart, '$1\\$2')
    .replace(outerSpace, (space) => `&#${space.charCodeAt(0)};`)

/** Emphasis, code, links, HTML, entities, tables, headings, and what renderers add: mentions, mathematics, templates. */
const active = /[\\`*_[\]<>&|~#@${}]/g

/** Renderers of GitHub's kind make links of bare addresses. */
const linkStart = /(https?|ftp|mailto|xmpp|www)([:.])/gi

/** Lists, rules, underlined headings and the second row of a table. */
const blockStart = /^([ \t]*(?:\d+(?=[.)]))?)([-+=:.)])/

/** Else four of them would begin a block of code, and two at the end a new line. */
const outerSpace = /^[ \t]|[ \t]$/g
