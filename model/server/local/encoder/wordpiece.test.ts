import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenizer } from './wordpiece.ts'

const pieces = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'un', '##aff', '##able', 'cafe', 'the', '!', '中', '##s', 'a', '$']
const tokenize = createTokenizer(pieces.join('\n'), 8)
const read = (text: string) => tokenize(text).map((id) => pieces[id])

test('a word is split into the longest tokens from the left', () => {
  assert.deepEqual(read('unaffable'), ['[CLS]', 'un', '##aff', '##able', '[SEP]'])
  assert.deepEqual(read('cafes'), ['[CLS]', 'cafe', '##s', '[SEP]'])
})

test('case and accents do not matter', () => {
  assert.deepEqual(read('The CAFÉ'), ['[CLS]', 'the', 'cafe', '[SEP]'])
})

test('punctuation marks and Chinese characters are separate tokens', () => {
  assert.deepEqual(read('the!$中中'), ['[CLS]', 'the', '!', '$', '中', '中', '[SEP]'])
})

test('a word with a part that is not in the vocabulary becomes one unknown token', () => {
  assert.deepEqual(read('unknown the'), ['[CLS]', '[UNK]', 'the', '[SEP]'])
  assert.deepEqual(read('a'.repeat(200)), ['[CLS]', '[UNK]', '[SEP]'])
})

test('a long text is cut and still has its end token', () => {
  assert.deepEqual(read('the '.repeat(50)), ['[CLS]', ...Array(6).fill('the'), '[SEP]'])
})

test('an empty text has only the start and end tokens', () => {
  assert.deepEqual(read(' \u0007 '), ['[CLS]', '[SEP]'])
})

test('a file that is not a vocabulary is rejected', () => {
  assert.throws(() => createTokenizer('hello\nworld', 8), /vocab\.txt has no \[UNK\]/)
})
