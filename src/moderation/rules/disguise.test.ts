import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDisguised } from './disguise.ts'

const part = (text: string) => [{ field: 'text', text }]

test('words with spaces between all letters are a disguise', () => {
  assert.equal(isDisguised(part('N 1 c 3 5 p 3 3 c h , c 0 u n c 1 l w 0 m 4 n . P 1 7 y 4 b 0 u 7')), true)
  assert.equal(isDisguised(part('s e n d the c o i n s to m y w a l l e t now')), true)
})

test('lists, initials and one spaced word are none', () => {
  for (const text of [
    'Scores 1 2 3 4 5 6, then 7 8 9 10, then 1 1 2 3 5 8 13',
    'W E L C O M E to the summer fair!',
    'J. R. R. Tolkien and C. S. Lewis at the pub',
    'Sizes S M L and XL are left.',
  ])
    assert.equal(isDisguised(part(text)), false, text)
})

test('a long row of single letters is read once', () => {
  assert.equal(isDisguised(part('a '.repeat(50_000))), false)
})
