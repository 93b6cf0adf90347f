import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutLinks, wordsOf } from './words.ts'

const words: Record<string, string[]> = {
  '': [],
  '... — !? 🎉': [],
  'One, two; three!': ['One', 'two', 'three'],
  "don't rock ’n’ roll": ["don't", 'rock', 'n', 'roll'],
  'e\u0301te\u0301 2026': ['e\u0301te\u0301', '2026'],
  'हिन्दी भाषा': ['हिन्दी', 'भाषा'],
  'தமிழ் மொழி': ['தமிழ்', 'மொழி'],
  '한국어 문장': ['한국어', '문장'],
  春の海: ['春', 'の', '海'],
  'コーヒー 2杯': ['コ', 'ー', 'ヒ', 'ー', '2', '杯'],
  ไทยนี้: ['ไ', 'ท', 'ย', 'นี้'],
  用Node写: ['用', 'Node', '写'],
}

for (const [text, expected] of Object.entries(words)) {
  test(`“${text}” has ${expected.length} words`, () => assert.deepEqual(wordsOf(text), expected))
}

test('links are not words, but Chinese after a link is', () => {
  assert.deepEqual(wordsOf(withoutLinks('See https://a.example/b?c=1#d, or HTTP://E.example/说明')), [
    'See',
    'or',
    '说',
    '明',
  ])
  assert.deepEqual(wordsOf(withoutLinks('<https://a.example>text "http://b.example"too')), ['text', 'too'])
})
