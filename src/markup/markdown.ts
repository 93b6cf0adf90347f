import { type Escaped, escapingTemplate, lineBreak } from './escaping-template.ts'

/** Markdown that is already escaped. */
export type Markdown = Escaped<'markdown'>

/** Escapes every value as part of one line: line breaks become spaces. */
export const markdown = escapingTemplate('markdown', (text) => escapeLine(linesOf(text).join(' ')))

/**
 * The text as a block quote, with the mark on every line. Keeps paragraphs and line breaks, and renderers show the
 * characters that were written.
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

/** Removes control characters, which no page shows but a terminal obeys. */
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
 * Emphasis, code, links, HTML, entities, tables, headings, and renderers' extensions: mentions, mathematics, templates.
 */
const active = /[\\`*_[\]<>&|~#@${}]/g

/** GitHub-flavoured renderers turn bare URLs into links. */
const linkStart = /(https?|ftp|mailto|xmpp|www)([:.])/gi

/** Lists, rules, underlined headings and the second row of a table. */
const blockStart = /^([ \t]*(?:\d+(?=[.)]))?)([-+=:.)])/

/** Otherwise four of them would start a code block, and two at the end a line break. */
const outerSpace = /^[ \t]|[ \t]$/g
