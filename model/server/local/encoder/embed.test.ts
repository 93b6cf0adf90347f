import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { openEmbedder } from './embed.ts'
import { createUnigramTokenizer, type Vocabulary } from './unigram.ts'

const file = join(import.meta.dirname, '../../../weights/encoder/vocabulary.json')
const vocabulary = JSON.parse(readFileSync(file, 'utf8')) as Vocabulary
const tokenize = createUnigramTokenizer(vocabulary)

/** The first numbers that the original TensorFlow.js encoder returned for these texts. */
const recorded: { text: string; pieces: number[]; vector: number[] }[] = [
  { text: 'a', pieces: [11], vector: [0.039935, -0.04903, 0.049017, -0.026403, 0.031251, -0.048959] },
  {
    text: 'Hello, world.',
    pieces: [341, 4125, 8, 311, 6],
    vector: [-0.050061, -0.056142, 0.027323, -0.048805, -0.027655, -0.056876],
  },
  {
    text: 'The ferry leaves at 06:40; bring £4 in coins.',
    pieces: [34, 4547, 408, 764, 7, 38, 30, 4829, 57, 1958, 138, 907],
    vector: [0.00793, 0.065755, 0.066444, 0.056811, -0.03389, 0.063181],
  },
  {
    text: 'Send 200 in coins first and I post the keys.',
    pieces: [114, 900, 2809, 15, 361, 1529, 146, 12, 16, 517, 9, 1173],
    vector: [0.052149, -0.014913, 0.05877, -0.052312, 0.055352, -0.058001],
  },
  {
    text: 'naïve café “quoted” … ½',
    pieces: [1216, 0, 105, 976, 209, 1133, 77, 1699, 849, 26, 236, 718],
    vector: [0.054414, 0.050038, -0.039751, -0.021583, -0.055664, -0.009239],
  },
  {
    text: 'مرحبا بالعالم',
    pieces: [30, 7982, 0, 7940, 30, 0, 7940, 7952, 0, 7940, 7952, 7982],
    vector: [0.010202, 0.029749, -0.056483, -0.029203, -0.050106, 0.038168],
  },
  { text: '你好 世界', pieces: [30, 0, 30, 0], vector: [-0.042604, -0.04455, 0.029277, 0.043704, -0.01557, -0.044903] },
  {
    text: '😀 hi 😀😀',
    pieces: [30, 0, 2038, 30, 0],
    vector: [0.005331, -0.051503, -0.04426, 0.014799, -0.0274, -0.034031],
  },
  {
    text: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    pieces: [649, 152, 152, 152, 152, 152, 152, 152, 152, 152, 152, 152],
    vector: [0.021137, 0.055435, 0.053153, -0.05052, 0.056365, 0.009477],
  },
  {
    text: 'https://tides.example/?ref=881 v2.3.0 arm64',
    pieces: [290, 7, 255, 17, 893, 7, 6, 773, 1563, 147, 68, 54],
    vector: [-0.056652, -0.042368, 0.026641, 0.02856, 0.022754, 0.02219],
  },
  {
    text: '\u0000 control',
    pieces: [30, 0, 750],
    vector: [-0.053303, -0.03798, 0.054314, -0.007189, 0.016557, -0.036702],
  },
  {
    text: 'word '.repeat(200).trim(),
    pieces: [1095, 1095, 1095, 1095, 1095, 1095, 1095, 1095, 1095, 1095, 1095, 1095],
    vector: [-0.052354, -0.040618, -0.04102, 0.051311, 0.029315, -0.05358],
  },
]

test('the tokenizer splits texts like the original', () => {
  for (const { text, pieces } of recorded) assert.deepEqual(tokenize(text).slice(0, 12), pieces, text)
})

test('the encoder returns the same vectors as the original, one by one and in a batch', async () => {
  const embed = await openEmbedder()
  const together = await embed(recorded.map(({ text }) => text))
  for (const [index, { text, vector }] of recorded.entries()) {
    const [alone] = await embed([text])
    for (const [at, value] of vector.entries())
      for (const found of [together[index], alone])
        assert.ok(Math.abs((found?.[at] ?? 9) - value) < 1e-5, `${text}, number ${at}`)
  }
})

test('an empty text has a vector', async () => {
  const embed = await openEmbedder()
  const [vector] = await embed([''])
  assert.equal(vector?.length, 512)
})

test('the tokenizer loses no known letter, whatever the text', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz .,'), maxLength: 200 })
  fc.assert(
    fc.property(letters, (text) => {
      const joined = tokenize(text)
        .map((id) => vocabulary[id]?.[0] ?? '')
        .join('')
      assert.equal(joined, text === '' ? '' : `▁${text}`.replaceAll(' ', '▁'))
    }),
  )
})
