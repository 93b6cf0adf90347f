import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asciiDomain } from './domain-name.ts'

for (const [text, name] of [
  ['example.com', 'example.com'],
  ['News.Example.COM', 'news.example.com'],
  ['a.co', 'a.co'],
  ['github.io', 'github.io'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  // A Cyrillic а: the ASCII form shows that it is another name.
  ['exаmple.com', 'xn--exmple-4nf.com'],
] as const)
  test(`the domain ${text} is ${name}`, () => assert.equal(asciiDomain(text), name))

for (const text of [
  ...['', 'com', 'localhost', 'example.com.', '.example.com', 'example..com', '-example.com', 'example-.com'],
  ...['https://example.com', 'example.com:443', 'example.com/path', 'example.com?', 'example.com#', 'me@example.com'],
  ...['127.0.0.1', '0x7f.1', '2130706433', '１２７.０.０.１', '[::1]', '::1', 'example.123', '1.2.3.256'],
  ...['ex ample.com', 'example.com\n', 'example。com', 'ex_ample.com', '*.example.com', 'example.com%2f'],
  ...[`${'a'.repeat(64)}.com`, `${'a.'.repeat(126)}com`, 'example.①', '\u200dexample.com'],
])
  test(`${JSON.stringify(text)} is no domain`, () => assert.equal(asciiDomain(text), null))
