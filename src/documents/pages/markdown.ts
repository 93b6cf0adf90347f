import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type Html, html } from '../../markup/html.ts'
import { areAlternatives, codeBlock, codeTabs, type Fence } from './code/code-block.ts'

/** A heading, with the endpoint and the first paragraph below it. */
export type Heading = { level: number; id: string; text: string; endpoint: string; lead: string }

/** A text as HTML, with its headings in order. */
export type RenderedText = { content: Html; headings: readonly Heading[] }

/**
 * Renders the subset of Markdown that the project's texts use: headings, paragraphs, lists, definitions, fenced code,
 * tables, notes (`>`), folded lists and pictures, with inline code, bold and links. A heading or an item may end with its id:
 * `{#submitPost}`.
 * The escaping template escapes every piece, so text cannot become markup.
 */
export function readMarkdown(text: string, idPrefix = ''): RenderedText {
  const idOf = uniqueIds(idPrefix)
  const headings: Heading[] = []
  const content = groupsOf(text).map(({ fences, block }) => {
    const [first] = fences
    const last = headings.at(-1)
    if (last?.lead === '' && first?.language === 'http') last.endpoint = first.text
    if (first) return fences.length === 1 ? codeBlock(first) : codeTabs(fences, idOf('code-tabs'))
    const heading = headingIn(block, idOf)
    if (!heading) {
      if (last?.lead === '' && startsParagraph(block)) last.lead = plainText(block)
      return renderBlock(block)
    }
    const { level, id } = heading
    headings.push({ ...heading, text: plainText(heading.text), endpoint: '', lead: '' })
    return html`<h${level} id="${id}">!${inline(heading.text)}</h${level}>`
  })
  return { content: content.join('\n'), headings }
}

export const renderMarkdown = (text: string, idPrefix = ''): Html => readMarkdown(text, idPrefix).content

// A fence may contain blank lines; every other block ends at a blank line or at a fence.
const blocks = /^```[\s\S]*?^```$|^(?!```).+(?:\n(?!```).+)*/gm

type Group = { fences: Fence[]; block: string }

/** The blocks of the text. Fences that follow each other and show one thing in several languages are one group. */
function groupsOf(text: string): Group[] {
  const groups: Group[] = []
  for (const [block] of text.matchAll(blocks)) {
    const fence = fenceIn(block)
    const before = groups.at(-1)?.fences ?? []
    if (fence && before.length > 0 && areAlternatives([...before, fence])) before.push(fence)
    else groups.push({ fences: fence ? [fence] : [], block })
  }
  return groups
}

function fenceIn(block: string): Fence | undefined {
  const fence = /^```(\w*) ?(.*)\n([\s\S]*?)\n?```$/.exec(block)
  return fence ? { language: String(fence[1]), title: String(fence[2]), text: String(fence[3]) } : undefined
}

function headingIn(block: string, idOf: (text: string) => string) {
  const [, marks = '', line = ''] = /^(#{1,4}) (.+)$/.exec(block) ?? []
  if (marks === '') return undefined
  const { text, id } = splitId(line)
  return { level: marks.length, text, id: id ?? idOf(text) }
}

const splitId = (line: string): { text: string; id: string | undefined } => {
  const [, text = line, id] = /^([\s\S]+) \{#([\w-]+)\}$/.exec(line) ?? []
  return { text, id }
}

/** The Markdown without explicit ids, which only the page needs, and with a description in place of each picture. */
export const withoutIds = (text: string): string =>
  text.replaceAll(/ \{#[\w-]+\}$/gm, '').replaceAll(/^!\[([^\]]+)\]\(picture:[a-z-]+\)$/gm, 'Picture: $1')

/** A picture as SVG with a title and a description. Part of the page, it takes the colours of the page. */
const readPicture = (name: string): Html =>
  readFileSync(new URL(`pictures/${name}.svg`, import.meta.url), 'utf8').trim()

const startsParagraph = (block: string): boolean => !/^[|>!-]|^\d+\. |^: /m.test(block)

/** Without marks, for places that show no markup. */
export const plainText = (text: string): string =>
  text.replaceAll(/\[([^\]]+)\]\([^)\s]+\)/g, '$1').replaceAll(/`|\*\*/g, '')

function renderBlock(block: string): Html {
  const [, picture] = /^!\[[^\]]+\]\(picture:([a-z-]+)\)$/.exec(block) ?? []
  if (picture) return html`<figure class="picture">!${readPicture(picture)}</figure>`
  if (block.startsWith('|')) return renderTable(block.split('\n'))
  if (block.startsWith('> ')) return html`<div class="note"><p>!${inline(block.replaceAll(/^> ?/gm, ''))}</p></div>`
  if (/^.+:\n- /.test(block)) return renderFolded(block)
  if (block.startsWith('- ')) return html`<ul>!${itemsOf(block, /^- /m)}</ul>`
  if (/^1\. /.test(block)) return html`<ol>!${itemsOf(block, /^\d+\. /m)}</ol>`
  if (/^.+\n: /.test(block)) return renderDefinitions(block.split('\n'))
  return html`<p>!${inline(block)}</p>`
}

/** A list right below a line that ends with a colon is folded under that line. */
function renderFolded(block: string): Html {
  const end = block.indexOf(':\n')
  return html`<details><summary>!${inline(block.slice(0, end))}</summary>
!${renderBlock(block.slice(end + 2))}</details>`
}

/** Lines in pairs: a term, then its definition after a colon. */
function renderDefinitions(lines: readonly string[]): Html {
  const items = lines.map((line) =>
    line.startsWith(': ') ? html`<dd>!${inline(line.slice(2))}</dd>` : html`<dt>!${inline(line)}</dt>`,
  )
  return html`<dl class="fields">!${items.join('\n')}</dl>`
}

/** Each cell repeats the heading of its column, which narrow screens show next to it. */
function renderTable([head, , ...rows]: string[]): Html {
  const headings = cellsOf(String(head))
  const labels = headings.map((heading) => heading.replaceAll(/[`*]/g, ''))
  const cells = (row: string) =>
    cellsOf(row).map((cell, column) => html`<td data-label="${labels[column] ?? ''}">!${inline(cell)}</td>`)
  const table = html`<table>
<thead><tr>!${headings.map((heading) => html`<th scope="col">!${inline(heading)}</th>`)}</tr></thead>
<tbody>
!${rows.map((row) => html`<tr>!${cells(row)}</tr>`).join('\n')}
</tbody>
</table>`
  // A scrollable block must be reachable by keyboard: through a link in it, or directly.
  return table.includes('<a ')
    ? html`<div class="table-wrap">!${table}</div>`
    : html`<div class="table-wrap" tabindex="0">!${table}</div>`
}

const cellsOf = (row: string): string[] =>
  row
    .replaceAll(/^\| ?| ?\|$/g, '')
    .split(/ ?(?<!\\)\| ?/)
    .map((cell) => cell.replaceAll('\\|', '|'))

function itemsOf(block: string, marker: RegExp): Html[] {
  const items = block.split(new RegExp(marker.source, 'gm')).slice(1)
  return items.map((item) => {
    const { text, id } = splitId(item.trim())
    return html`<li!${id ? html` id="${id}"` : ''}>!${inline(text)}</li>`
  })
}

/** Renders inline code, bold and links. Text inside code stays as it is. */
export function inline(text: string): Html {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/)
    .map((piece) => {
      const link = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(piece)
      if (link) return html`<a href="${safeTarget(String(link[2]))}">!${inline(String(link[1]))}</a>`
      if (/^`[^`]+`$/.test(piece)) return html`<code>${piece.slice(1, -1)}</code>`
      if (/^\*\*[^*]+\*\*$/.test(piece)) return html`<strong>!${inline(piece.slice(2, -2))}</strong>`
      return html`${piece}`
    })
    .join('')
}

/** Besides the web, only the addresses with which MCP clients offer to add a server. */
const safeTargets =
  /^(https?:|mailto:|\/|#|vscode:mcp\/install\?|cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?|goose:\/\/extension\?|lmstudio:\/\/add_mcp\?)/

function safeTarget(target: string): string {
  assert.match(
    target,
    safeTargets,
    'a link must be an http, https or mailto URL, a path, a fragment or an install link',
  )
  return target
}

/** Numbers repeated headings. Parts of a page that are rendered separately need different prefixes. */
function uniqueIds(prefix: string): (text: string) => string {
  const seen = new Map<string, number>()
  return (text) => {
    const slug = prefix + slugOf(text)
    const count = (seen.get(slug) ?? 0) + 1
    seen.set(slug, count)
    return count === 1 ? slug : `${slug}-${count}`
  }
}

/** Leading digits are dropped: `1. Create an account` becomes `create-an-account`. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^[\p{N}-]+|-+$/gu, '')
