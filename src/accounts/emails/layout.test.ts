import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { renderEmail } from './layout.ts'

test('an email embeds the font of the mark unchanged, and refers to nothing else', () => {
  const { html } = renderEmail({ title: 'Hello', parts: [{ says: 'A line.' }], foot: 'A foot.' })
  const [, data = ''] = /url\(data:font\/woff2;base64,([\w+/=]+)\)/.exec(html) ?? []
  const font = readFileSync(new URL('mark/broadside-mark.woff2', import.meta.url))
  assert.deepEqual(Buffer.from(data, 'base64'), font)
  assert.equal(html.match(/url\(|src=|href=/g)?.length, 1)
})
