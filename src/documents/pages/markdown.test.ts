import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fill } from './fill.ts'
import { renderMarkdown } from './markdown.ts'
import { markdownTable } from './markdown-parts.ts'

test('text never becomes markup in any position', () => {
  const hostile = '<script>alert(1)</script>'
  const text = [hostile, `## ${hostile}`, `- ${hostile}`, `> ${hostile}`, markdownTable([hostile], [[hostile]])]
  const fenced = ['```html', hostile, '```'].join('\n')
  assert.doesNotMatch(renderMarkdown([...text, fenced].join('\n\n')), /<script/)
})

test('a link with an unsafe scheme is rejected', () => {
  assert.throws(() => renderMarkdown('[here](javascript:alert)'))
  assert.throws(() => renderMarkdown('[here](data:text/html,x)'))
})

test('headings with the same text get unique ids that begin with a letter', () => {
  const shown = renderMarkdown('## 1. Post it\n\n## Post it\n\n### Post it')
  assert.deepEqual(
    [...shown.matchAll(/id="([^"]+)"/g)].map(([, id]) => id),
    ['post-it', 'post-it-2', 'post-it-3'],
  )
})

test('a fence keeps its blank lines and its code unchanged', () => {
  assert.match(renderMarkdown('Say:\n```sh\na\n\n\n**b**\n```\nThen.'), /a\n\n\n\*\*b\*\*/)
  assert.match(renderMarkdown('Use `**x**` here.'), /<code>\*\*x\*\*<\/code>/)
})

test('a table cell can contain a pipe and a line break', () => {
  const shown = renderMarkdown(markdownTable(['One', 'Two'], [['a | b', 'c\nd']]))
  assert.match(shown, />a \| b<\/td>.*>c d<\/td>/)
})

test('an unknown fact is rejected, and an empty fact leaves no gap', () => {
  assert.throws(() => fill('{{nothing}}', {}))
  assert.equal(fill('One.\n\n{{note}}\n\nTwo{{end}}.', { note: '', end: '' }), 'One.\n\nTwo.')
})
