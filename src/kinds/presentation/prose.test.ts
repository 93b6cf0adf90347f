import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prose } from './prose.ts'

const paragraph = (inner: string) => `<p dir="auto" lang="">${inner}</p>`

test('blank lines separate paragraphs, and line breaks are kept', () => {
  assert.equal(prose('One.\nTwo.\n \t\n\n\nThree.\n'), [paragraph('One.<br>\nTwo.'), paragraph('Three.')].join('\n'))
})

test('markup in a text is shown as text', () => {
  const shown = prose(`<script>alert('1')</script> & "<b>"`)
  assert.doesNotMatch(shown, /<(?!\/?p\b)/)
  assert.match(shown, /&#60;script&#62;/)
})

test('links are clickable, marked nofollow, and cannot escape their attribute', () => {
  assert.equal(
    prose('See https://a.example/x?y=1&z=2, and http://b.example/(c).'),
    paragraph(
      'See <a href="https://a.example/x?y&#61;1&#38;z&#61;2" rel="ugc nofollow noopener">https://a.example/x?y&#61;1&#38;z&#61;2</a>, ' +
        'and <a href="http://b.example/(c)" rel="ugc nofollow noopener">http://b.example/(c)</a>.',
    ),
  )
  assert.doesNotMatch(prose('javascript:alert(1) data:text/html,x'), /href/)
  assert.equal(prose(`https://a.example/'onclick='x`).match(/'/g), null)
})

test('each occurrence of a repeated link is clickable', () => {
  assert.equal(prose('https://a.example https://a.example').match(/<a /g)?.length, 2)
})
