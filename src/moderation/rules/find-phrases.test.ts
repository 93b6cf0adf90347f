import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PhraseBook } from './find-phrases.ts'

const isFound = (phrase: string, text: string) =>
  new PhraseBook([{ label: 'it', phrases: [phrase] }], (word) => word).find(text.split(' ')).length > 0

const rows: [phrase: string, found: string[], notFound: string[]][] = [
  ['break the chain', ['do break the chain now'], ['break a chain', 'breaks the chain']],
  ['buy|sell votes', ['buy votes', 'sell votes'], ['give votes', 'buy the votes']],
  ['for a? dog', ['for a dog', 'for dog'], ['for the dog']],
  ['# votes', ['500 votes'], ['five votes']],
  ['send * mails', ['send mails', 'send me all your mails'], ['send one two three four mails']],
  ['send ** mails', ['send 1 2 3 4 5 6 7 8 mails'], ['send 1 2 3 4 5 6 7 8 9 mails']],
  ['test # #? now', ['test 1 now', 'test 1 2 now'], ['test one now', 'test 1 2 3 now']],
  ['ten|# votes', ['10 votes', 'ten votes'], ['nine votes']],
]

for (const [phrase, found, notFound] of rows)
  test(`'${phrase}' finds what it says`, () => {
    for (const text of found) assert.ok(isFound(phrase, text), text)
    for (const text of notFound) assert.ok(!isFound(phrase, text), text)
  })

test('a find says where it is', () => {
  const book = new PhraseBook([{ label: 'chain', phrases: ['break * chain'] }], (word) => word)
  assert.deepEqual(book.find('if you break the old chain now'.split(' ')), [
    { label: 'chain', phrase: 'break * chain', from: 2, to: 6 },
  ])
})
