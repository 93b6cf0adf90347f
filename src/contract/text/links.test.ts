import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertCheap } from '../../../test/support/cost.ts'
import { findLinks } from './links.ts'

const found: Record<string, [text: string, links: string[]]> = {
  'no text': ['', []],
  'no link': ['ftp://a.example and mailto:a@b.example, http:/a.example and www.a.example', []],
  'a scheme without a host': ['http:// https://... https://)', []],
  'a scheme in upper or mixed case': ['HTTP://a.example hTtPs://B.example', ['HTTP://a.example', 'hTtPs://B.example']],
  'in order, including repeats': [
    'https://b.example https://a.example https://b.example',
    ['https://b.example', 'https://a.example', 'https://b.example'],
  ],
  'an IP address': [
    'https://[2001:db8::1]:8080/x http://192.0.2.1',
    ['https://[2001:db8::1]:8080/x', 'http://192.0.2.1'],
  ],
  'query and fragment': ['https://a.example/?x=1&y=%20#z=', ['https://a.example/?x=1&y=%20#z=']],
  'the end of a sentence': [
    'See https://a.example/x, or (https://b.example). Or http://c.example?!',
    ['https://a.example/x', 'https://b.example', 'http://c.example'],
  ],
  'Markdown and HTML': [
    '[x](https://a.example/b) **https://c.example** <https://d.example> "https://e.example" `https://f.example`',
    ['https://a.example/b', 'https://c.example', 'https://d.example', 'https://e.example', 'https://f.example'],
  ],
  'a bracket that the link opened': [
    '(https://a.example/Broadside_(printing))',
    ['https://a.example/Broadside_(printing)'],
  ],
  'text without spaces': [
    '見てhttps://a.example/道。https://b.example、',
    ['https://a.example/道', 'https://b.example'],
  ],
  'lines and tabs': ['https://a.example\nhttps://b.example\thttps://c.example', ['a', 'b', 'c'].map(named)],
  'links joined by anything but a space': [
    'https://a.example,https://b.example|https://c.example)https://d.example-https://e.example',
    ['a', 'b', 'c', 'd', 'e'].map(named),
  ],
  'a link inside a link': [
    'https://a.example/web/2020/https://b.example/ https://a.example/?to=http://b.example',
    ['https://a.example/web/2020/https://b.example/', 'https://a.example/?to=http://b.example'],
  ],
}

function named(host: string) {
  return `https://${host}.example`
}

for (const [name, [text, links]] of Object.entries(found))
  test(`findLinks: ${name}`, () => assert.deepEqual(findLinks(text), links))

test('every link found occurs in the text, in order, and is also found on its own', () => {
  const words = fc.constantFrom('http://', 'https://', 'a.example', '/', '(', ')', '.', ',', ' ', '=', '。', '[', ']')
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), (parts) => {
      const text = parts.join('')
      let from = 0
      for (const link of findLinks(text)) {
        const at = text.indexOf(link, from)
        assert.ok(at >= from)
        from = at + link.length
        assert.deepEqual(findLinks(link), [link])
      }
    }),
    { numRuns: 2000 },
  )
})

test('adversarial text takes linear time', () => {
  const hostile = [
    'http://'.repeat(37_000),
    `https://a${')'.repeat(250_000)}`,
    `https://a${'('.repeat(125_000)}${')'.repeat(125_000)}`,
    `https://a${'.'.repeat(250_000)}`,
    'https://a,'.repeat(25_000),
    `https://${'(('.repeat(20)} `.repeat(5_000),
  ]
  for (const text of hostile) assertCheap(() => findLinks(text), 10, `${text.slice(0, 20)}…`)
})
