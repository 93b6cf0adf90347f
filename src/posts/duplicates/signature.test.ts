import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assertCheap } from '../../../test/support/cost.ts'
import { nearDuplicateSimilarity, type Signature, signatureOf, similarity } from './signature.ts'

function sign(text: string): Signature {
  const signature = signatureOf([{ field: 'body', text }])
  assert.ok(signature)
  return signature
}
const compare = (one: string, other: string) => similarity(sign(one).minhash, sign(other).minhash)
const shareBand = (one: Signature, other: Signature) => one.bands.some((band) => other.bands.includes(band))

/** A vocabulary with a few frequent words and many rare ones, as in natural language. */
const word = fc.tuple(fc.nat({ max: 70 }), fc.nat({ max: 70 })).map(([x, y]) => `w${(x * y).toString(36)}`)
const textOf = (words: number) => fc.array(word, { minLength: words, maxLength: words })

describe('a signature', () => {
  test('has 40 values and 5 bands of 32 bits, and the number of words', () => {
    const { minhash, bands, words } = sign('First cranes over the reservoir this morning, eleven of them.')
    assert.deepEqual([minhash.length, bands.length, words], [40, 5, 10])
    for (const value of [...minhash, ...bands]) assert.equal(value, value | 0)
  })

  test('never changes, so that stored signatures stay comparable', () => {
    const { minhash, bands } = sign('First cranes over the reservoir this morning, eleven of them.')
    assert.deepEqual(minhash.slice(0, 3), [-1278133070, -471678254, -1270270312])
    assert.deepEqual(bands.slice(0, 3), [-984265441, -879586220, -1384868906])
  })

  test('is null without words', () => {
    for (const text of ['', ' \n', '?!…', '🎉🎉']) assert.equal(signatureOf([{ field: 'body', text }]), null)
    assert.equal(signatureOf([]), null)
  })

  test('of one or two words covers the whole text', () => {
    assert.equal(compare('Good morning!', 'good  morning'), 1)
    assert.equal(compare('Good morning', 'Good evening'), 0)
    assert.equal(compare('Good', 'Good morning'), 0)
  })

  test('covers title and body, but not topics', () => {
    const parts = [
      { field: 'title', text: 'Pram, blue' },
      { field: 'body', text: 'One wheel squeaks. 20 or a cake.' },
    ]
    const [plain, withTopics] = [
      parts,
      [...parts, { field: 'topics', text: 'prams' }, { field: 'topics/1', text: 'a-b' }],
    ]
    assert.deepEqual(signatureOf(withTopics), signatureOf(plain))
    assert.notDeepEqual(signatureOf(parts.slice(1)), signatureOf(plain))
  })
})

describe('equal but for their dress', () => {
  const pairs: Record<string, [string, string]> = {
    'case, punctuation and spaces': ['Oak table, 120. Write first!', ' oak   TABLE 120 — write…first'],
    accents: ['Café in São Tomé', 'Cafe in Sao Tome'],
    'composed and decomposed letters': ['Zürich ist schön', 'Zu\u0308rich ist scho\u0308n'],
    'wide letters and bold letters': ['ｏａｋ ｔａｂｌｅ', '𝐨𝐚𝐤 𝐭𝐚𝐛𝐥𝐞'],
    'sharp s': ['Straße am Fluß', 'STRASSE AM FLUSS'],
    'final sigma': ['ΟΔΟΣ ΜΟΥ', 'οδός μου'],
    'Arabic vowels': ['كِتَابٌ جَدِيدٌ', 'كتاب جديد'],
    'Chinese punctuation': ['周六上午十点，在图书馆门口。', '周六上午十点在图书馆门口'],
    'halfwidth katakana': ['コーヒーを飲む', 'ｺｰﾋｰを飲む'],
  }
  for (const [title, [one, other]] of Object.entries(pairs)) {
    test(`${title}: the same`, () => assert.equal(compare(one, other), 1))
  }

  test('a text matches itself in upper case, in lower case and with other punctuation', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const parts = (changed: string) => signatureOf([{ field: 'body', text: changed }])
        fc.pre(parts(text) !== null)
        assert.deepEqual(parts(text.toUpperCase()), parts(text))
        assert.deepEqual(parts(text.toLowerCase()), parts(text))
        assert.deepEqual(parts(` ${text}!`), parts(text))
      }),
    )
    fc.assert(
      fc.property(textOf(30), fc.constantFrom(', ', ' — ', '.\n\n', '   ', '!? '), (words, between) => {
        assert.equal(compare(words.join(' '), words.join(between)), 1)
      }),
    )
  })

  test('Hindi words that differ in their vowels differ', () => {
    assert.equal(compare('किताब', 'कतब'), 0)
  })
})

describe('similar and unrelated texts', () => {
  const story = fc.tuple(textOf(600), fc.array(fc.nat({ max: 599 }), { minLength: 12, maxLength: 12 }))

  test('a story with 2 % of its words replaced shares a band and nearly always counts as a duplicate', () => {
    const found = fc.sample(story, { numRuns: 200, seed: 1 }).map(([words, places]) => {
      const changed = words.map((original, index) => (places.includes(index) ? `x${index}` : original))
      const [one, other] = [sign(words.join(' ')), sign(changed.join(' '))]
      assert.ok(shareBand(one, other))
      return similarity(one.minhash, other.minhash)
    })
    const counted = found.filter((value) => value >= nearDuplicateSimilarity).length
    assert.ok(counted >= 190, `${counted} of 200`)
    const mean = found.reduce((sum, value) => sum + value, 0) / found.length
    assert.ok(Math.abs(mean - 0.89) < 0.02, `the mean was ${mean}`)
  })

  test('a story with a fifth of its words replaced is not a duplicate', () => {
    for (const [words] of fc.sample(story, { numRuns: 100, seed: 2 })) {
      const changed = words.map((original, index) => (index % 5 === 0 ? `x${index}` : original))
      assert.ok(compare(words.join(' '), changed.join(' ')) < nearDuplicateSimilarity)
    }
  })

  test('unrelated texts share no band', () => {
    const signatures = fc.sample(textOf(80), { numRuns: 100, seed: 3 }).map((words) => sign(words.join(' ')))
    const pairs = signatures.flatMap((one, index) => signatures.slice(index + 1).map((other) => [one, other] as const))
    const sharing = pairs.filter(([one, other]) => shareBand(one, other)).length
    assert.ok(sharing <= pairs.length / 1_000, `${sharing} of ${pairs.length} pairs`)
  })

  test('two ads from one template with different offers are not duplicates', () => {
    const ad = (what: string) =>
      `For sale: ${what}. Good condition, pick up in Elm Street after six, cash only, no returns.`
    assert.ok(compare(ad('oak table with four chairs'), ad('blue pram, one wheel squeaks')) < nearDuplicateSimilarity)
  })
})

test('signing messages, stories of 2,500 words and adversarial texts takes little longer than reading them', () => {
  const words = fc.sample(textOf(2_500), { numRuns: 1, seed: 4 })[0]!.join(' ')
  const most: [text: string, times: number, readings: number][] = [
    [words.slice(0, 500), 100, 1],
    [words, 10, 1.5],
    ['a b '.repeat(65_536), 1, 3],
    [`a${'\u0315\u0323'.repeat(65_536)}`, 1, 3],
    [`a${'\u093C\u094D'.repeat(43_690)}`, 1, 3],
  ]
  for (const [text, times, readings] of most) {
    const signAll = () => {
      for (let time = 0; time < times; time++) sign(text)
    }
    assertCheap(signAll, readings, `${times} times ${text.length} characters`)
  }
})
