import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, markdown, quotation } from './markdown.ts'

const quoted = (text: string) => String(quotation(text)).split('\n')

test('ordinary text stays as it is', () => {
  const text = 'Two years old, “as new”: 1,450 € (2026-11-15, 12:00). It’s 5 % off; see you at 9.30!'
  assert.equal(String(markdown`${text}`), text)
})

test('a value stays on one line', () => {
  assert.equal(String(markdown`# ${'a\n# b\r\n---'}`), '# a \\# b ---')
})

test('user text never starts a block', () => {
  assert.deepEqual(quoted('# a\n- b\n+ c\n* d\n1. e\n2) f\n===\n---\n:--\n> g'), [
    '> \\# a\\',
    '> \\- b\\',
    '> \\+ c\\',
    '> \\* d\\',
    '> 1\\. e\\',
    '> 2\\) f\\',
    '> \\===\\',
    '> \\---\\',
    '> \\:--\\',
    '> \\> g',
  ])
  assert.deepEqual(quoted('    code\n\tcode  '), ['> &#32;   code\\', '> &#9;code &#32;'])
  assert.deepEqual(quoted('```\n~~~\n|a|b|'), ['> \\`\\`\\`\\', '> \\~\\~\\~\\', '> \\|a\\|b\\|'])
})

test('user text never becomes a link, an image, emphasis, code or HTML', () => {
  assert.deepEqual(quoted('![a](b) [c](d) **e** _f_ `g` <b> &lt; \\'), [
    '> !\\[a\\](b) \\[c\\](d) \\*\\*e\\*\\* \\_f\\_ \\`g\\` \\<b\\> \\&lt; \\\\',
  ])
  assert.deepEqual(quoted('https://a.example www.b.example c@d.example'), [
    '> https\\://a.example www\\.b.example c\\@d.example',
  ])
})

test('a quote marks every line and keeps paragraphs and line breaks', () => {
  assert.deepEqual(quoted('a\nb\n\nc\n \n\nd\u2028e\vf'), [
    '> a\\',
    '> b',
    '>',
    '> c',
    '>',
    '>',
    '> d\\',
    '> e\\',
    '> f',
  ])
})

test('invisible characters are removed', () => {
  assert.deepEqual(quoted('a\0b\x1B[31m\x7F\uD800'), ['> ab\\[31m\uFFFD'])
})

test('a URL cannot end the link early', () => {
  assert.equal(String(address('https://a.example/b_c')), '<https://a.example/b_c>')
  assert.equal(String(address('https://a.example/> <b>')), '<https://a.example/%3E%20%3Cb%3E>')
})
