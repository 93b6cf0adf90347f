import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from './html.ts'
import { markdown } from './markdown.ts'
import { xml, xmlDocument } from './xml.ts'

test('a value can end neither an element nor an attribute', () => {
  const value = `</a>&"'<b> ]]>`
  assert.equal(
    String(xml`<a href="${value}">${value}</a>`),
    '<a href="&#60;/a&#62;&#38;&#34;&#39;&#60;b&#62; ]]&#62;">&#60;/a&#62;&#38;&#34;&#39;&#60;b&#62; ]]&#62;</a>',
  )
})

test('only results of this template are inserted unescaped', () => {
  const items = [1, 2].map((number) => xml`<i>${number}</i>`)
  assert.equal(String(xml`<a>${items}${[]}${xml`<b/>`}</a>`), '<a><i>1</i><i>2</i><b/></a>')
  assert.equal(String(xml`${html`<p>`}`), '&#60;p&#62;', 'HTML is text here')
  const foreign = markdown`<p>` as unknown as string
  assert.equal(String(xml`${foreign}`), '&#60;p&#62;', 'and so is what another template made')
})

test('characters that XML 1.0 forbids are removed, and all others stay', () => {
  assert.equal(String(xml`${'a\0\x08\x0B\x0C\x1F\uFFFE\uFFFF\uDC00\uD800b'}`), 'ab')
  assert.equal(String(xml`${'\t\n\u{1F600}é\x7F\uFFFD'}`), '\t\n\u{1F600}é\x7F\uFFFD')
  assert.equal(String(xml`${'a\r\nb'}`), 'a&#13;\nb', 'a bare one would be read as a line feed')
})

test('a document declares its encoding', () => {
  assert.equal(xmlDocument(xml`<a/>`), '<?xml version="1.0" encoding="UTF-8"?>\n<a/>\n')
})
