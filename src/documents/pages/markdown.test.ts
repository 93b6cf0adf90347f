import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fill } from './fill.ts'
import { readMarkdown, renderMarkdown, withoutIds } from './markdown.ts'
import { markdownTable } from './markdown-parts.ts'

test('text never becomes markup in any position', () => {
  const hostile = '<script>alert(1)</script>'
  const text = [hostile, `## ${hostile}`, `- ${hostile}`, `> ${hostile}`, markdownTable([hostile], [[hostile]])]
  const fenced = ['html', 'sh', 'ts', `json ${hostile}`].map((info) => [`\`\`\`${info}`, hostile, '```'].join('\n'))
  const defined = `${hostile}\n: ${hostile}`
  assert.doesNotMatch(renderMarkdown([...text, ...fenced, defined].join('\n\n')), /<script/)
})

test('a link with an unsafe scheme is rejected', () => {
  assert.throws(() => renderMarkdown('[here](javascript:alert)'))
  assert.throws(() => renderMarkdown('[here](data:text/html,x)'))
  assert.throws(() => renderMarkdown('[here](vscode://extension/command)'))
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

test('consecutive fences in several languages become tabs, and a fence with a title is folded', () => {
  const fences = ['```sh\na\n```', '```ts\nb\n```', '```python\nc\n```'].join('\n\n')
  const shown = renderMarkdown(`${fences}\n\nThen.\n\n${fences}`)
  assert.equal(shown.match(/<fieldset/g)?.length, 2)
  assert.equal(shown.match(/type="radio"/g)?.length, 6)
  assert.equal(shown.match(/ checked>/g)?.length, 2)
  const ids = [...shown.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  assert.equal(new Set(ids).size, 6)
  assert.doesNotMatch(renderMarkdown('```sh\na\n```\n\n```sh\nb\n```\n\n```json\n1\n```'), /<fieldset/)
  assert.match(
    renderMarkdown('```json Example: 200\n{}\n```'),
    /<details><summary>Example: 200<\/summary>\s*<div class="code">/,
  )
})

test('a heading and an item may have an id of their own, which the served Markdown leaves out', () => {
  const text = '## Submit a post {#submitPost}\n\n- One {#one}\n- Two'
  const { content, headings } = readMarkdown(text)
  assert.match(content, /<h2 id="submitPost">Submit a post<\/h2>\s*<ul><li id="one">One<\/li><li>Two<\/li><\/ul>/)
  assert.deepEqual(
    headings.map(({ id, text: heading }) => [id, heading]),
    [['submitPost', 'Submit a post']],
  )
  assert.equal(withoutIds(text), '## Submit a post\n\n- One\n- Two')
})

test('a heading knows its endpoint and the first paragraph below it', () => {
  const { headings } = readMarkdown(
    '## Read\n\n```http\nGET /v1/posts\n```\n\nThe `id` of [a post](/p/). More.\n\nElse.',
  )
  assert.deepEqual(headings, [
    { level: 2, id: 'read', text: 'Read', endpoint: 'GET /v1/posts', lead: 'The id of a post. More.' },
  ])
})

test('definitions are a term and its description', () => {
  const shown = renderMarkdown('`a` string\n: One.\n`b` number\n: Two.')
  assert.match(shown, /^<dl class="fields"><dt><code>a<\/code> string<\/dt>\s<dd>One\.<\/dd>\s<dt>.*<\/dl>$/s)
})
