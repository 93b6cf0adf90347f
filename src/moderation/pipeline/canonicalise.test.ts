import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assertCheap } from '../../../test/support/cost.ts'
import { canonicalise } from './canonicalise.ts'

describe('the canonical copy removes', () => {
  const disguises: [name: string, text: string][] = [
    ['nothing', 'send your password'],
    ['hidden characters', [...'send your password'].join('\u200b')],
    ['soft hyphens and tags', 's\u00adend yo\u{e0041}ur pass\u2060word'],
    ['direction controls', '\u202esend\u202c your \u2067password\u2069'],
    ['width', 'ｓｅｎｄ　ｙｏｕｒ　ｐａｓｓｗｏｒｄ'],
    ['mathematical letters', '𝓼𝓮𝓷𝓭 𝔂𝓸𝓾𝓻 𝓹𝓪𝓼𝓼𝔀𝓸𝓻𝓭'],
    ['strokes over letters', [...'send your password'].map((letter) => `${letter}\u0336`).join('')],
    [
      'piles of marks',
      [...'send your password'].map((letter) => letter + '\u0316\u0322\u0336\u0337\u0338\u0334'.repeat(3)).join(''),
    ],
    ['Cyrillic letters', 'sеnd yоur рasswоrd'],
    ['Greek letters', 'sεnd yουr pαsswοrd'],
    ['spaces and dots between letters', 's e n d your p.a.s.s.w.o.r.d'],
    ['digits and signs', 's3nd y0ur p@$$w0rd'],
    ['base64', Buffer.from('send your password').toString('base64')],
  ]
  for (const [name, text] of disguises) test(name, () => assert.equal(canonicalise(text), 'send your password'))
})

describe('text without a disguise is unchanged', () => {
  const plain = [
    'At 9, for $20: bring 2 or 3, mp3 and 4K, the 1st of May, 24h, 100km, B2B, H2O.',
    'Write to anna@example.com or see https://example.com/a1b2c3/p4ge?x=1 and @anna5.',
    'Привет, мир. Сегодня в Твери первый снег.',
    'Καλημέρα κόσμε',
    'Crème brûlée, naïve façade, São Paulo, Đà Nẵng.',
    'a b c',
    'sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'fi\n\nTwo paragraphs\n- and a list',
    'The 747 and the A320, room 101, 3-4-5 triangle.',
  ]
  for (const text of plain) test(text, () => assert.equal(canonicalise(text), text))
})

test('canonicalising plain words is idempotent', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-zA-Z ,.!?]{0,80}$/), (text) => {
      assert.equal(canonicalise(canonicalise(text)), canonicalise(text))
    }),
  )
})

test('no hidden character survives, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      assert.doesNotMatch(
        canonicalise(text),
        /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u,
      )
    }),
  )
})

test('long adversarial texts take linear time', () => {
  const size = 200_000
  for (const part of ['a ', 'a.', '\u0301', 'a\u0301', '@', '0a', 'А', 'A'.repeat(9_000), 'k i l l ', 'a0a0-'])
    assertCheap(() => canonicalise(part.repeat(Math.ceil(size / part.length))), 80, `${part.slice(0, 4)}…`)
})
