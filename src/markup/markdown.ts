import { type Escaped, escapingTemplate, lineBreak } from './escaping-template.ts'

/** Markdown that is already escaped. */
export type Markdown = Escaped<'markdown'>

/** Escapes every value and turns its line breaks into spaces, so that it stays on one line. */
export const markdown = escapingTemplate('markdown', (text) => escapeLine(linesOf(text).join(' ')))

/**
 * The text as a block quote, with `>` on every line. Keeps paragraphs and line breaks. The text is escaped, so
 * renderers show it as written.
 */
export function quotation(text: string): Markdown {
  const lines = linesOf(text).map((line) => (line.trim() === '' ? '' : escapeLine(line)))
  const quoted = lines.map((line, at) => (line === '' ? '>' : `> ${line}${lines[at + 1] ? '\\' : ''}`))
  return asMarkdown`${quoted.join('\n')}`
}

/** A link that shows its URL. */
export const address = (url: string): Markdown => asMarkdown`<${url.replace(/[<>\\\s]/g, encodeURIComponent)}>`

/** Only for text that this file has escaped. */
const asMarkdown = escapingTemplate('markdown', (text) => text)

/** The lines without control characters, which pages do not show but terminals interpret. */
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

/**
 * Characters that mark emphasis, code, links, HTML, entities, tables and headings, or extensions: mentions, mathematics
 * and templates.
 */
const active = /[\\`*_[\]<>&|~#@${}]/g

/** GitHub-flavoured renderers turn bare URLs into links. */
const linkStart = /(https?|ftp|mailto|xmpp|www)([:.])/gi

/** Characters that start a list, a rule, a heading's underline or the second row of a table. */
const blockStart = /^([ \t]*(?:\d+(?=[.)]))?)([-+=:.)])/

/** Four spaces at the start would begin a code block, and two at the end would add a line break. */
const outerSpace = /^[ \t]|[ \t]$/g
