import assert from 'node:assert/strict'
import { type Html, html } from '../../markup/html.ts'

/**
 * Renders the subset of Markdown that the project's texts use: headings, paragraphs, lists, fenced code, tables and
 * notes (`>`), with inline code, bold and links. The escaping template escapes every piece, so text cannot become
 * markup.
 */
export function renderMarkdown(text: string, idPrefix = ''): Html {
  const idOf = uniqueIds(idPrefix)
  return [...text.matchAll(blocks)].map(([block]) => renderBlock(block, idOf)).join('\n')
}

// A fence may contain blank lines; every other block ends at a blank line or at a fence.
const blocks = /^```[\s\S]*?^```$|^(?!```).+(?:\n(?!```).+)*/gm

function renderBlock(block: string, idOf: (text: string) => string): Html {
  const fence = /^```(\w*)\n([\s\S]*?)\n?```$/.exec(block)
  if (fence) return codeBlock(String(fence[2]), fence[1])
  const heading = /^(#{1,4}) (.+)$/.exec(block)
  if (heading) return renderHeading(String(heading[1]).length, String(heading[2]), idOf)
  if (block.startsWith('|')) return renderTable(block.split('\n'))
  if (block.startsWith('> ')) return html`<div class="note"><p>!${inline(block.replaceAll(/^> ?/gm, ''))}</p></div>`
  if (block.startsWith('- ')) return html`<ul>!${itemsOf(block, /^- /m)}</ul>`
  if (/^1\. /.test(block)) return html`<ol>!${itemsOf(block, /^\d+\. /m)}</ol>`
  return html`<p>!${inline(block)}</p>`
}

/** Long lines scroll, so the block must be reachable by keyboard. */
export const codeBlock = (text: string, language = ''): Html =>
  language === ''
    ? html`<pre tabindex="0"><code>${text}</code></pre>`
    : html`<pre tabindex="0"><code class="language-${language}">${text}</code></pre>`

function renderHeading(level: number, text: string, idOf: (text: string) => string): Html {
  return html`<h${level} id="${idOf(text)}">!${inline(text)}</h${level}>`
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
  return items.map((item) => html`<li>!${inline(item.trim())}</li>`)
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

function safeTarget(target: string): string {
  assert.match(target, /^(https?:|mailto:|\/|#)/, 'a link must be an http, https or mailto URL, a path or a fragment')
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
