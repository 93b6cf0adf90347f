import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyCategoryIds } from '../../../src/policy/policy.ts'
import { answerTexts } from './answer-texts.ts'
import { compareWith, openComparison } from './encoder/compare.ts'
import { embeddingSize } from './encoder/embedding-size.ts'
import { lexiconNames } from './features/lexicon.ts'
import { learntCategories } from './local-model.ts'
import { denseSize } from './scoring/score.ts'
import type { Weights } from './scoring/weights.ts'

const outputs = learntCategories.length
const inputs = embeddingSize + lexiconNames.length

/** One unit that copies the embedding's first number: that number is the spam score, and all others are 0. */
const weights: Weights = {
  head: {
    inputs,
    hidden: 1,
    outputs,
    hiddenWeights: new Float32Array(inputs).fill(1, 0, 1),
    hiddenBiases: new Float32Array(1),
    outputWeights: Float32Array.from(learntCategories, (category) => (category === 'spam' ? 1 : 0)),
    outputBiases: new Float32Array(outputs).fill(-2),
  },
  ngrams: {
    bits: 8,
    outputs,
    weights: new Int8Array(outputs << 8),
    scales: new Float32Array(outputs),
    biases: new Float32Array(outputs),
  },
  headShare: learntCategories.map(() => 1),
  calibration: { slope: learntCategories.map(() => 1), offset: learntCategories.map(() => 0) },
  partMargin: 0.5,
  kernel: {
    gamma: 1,
    // One training post, which is only about tea.
    centres: new Float32Array(embeddingSize).fill(1, 0, 1),
    alphas: Float32Array.of(4),
    ngramBits: 8,
    ngramWeights: new Float32Array(1 << 8),
    denseWeights: new Float32Array(denseSize),
    bias: -1,
  },
  overall: { english: { slope: 1, offset: 0 }, other: { slope: 1, offset: 0 }, margin: 0.3 },
}

const compare = await openComparison(weights.kernel)

/** Matches only a text that is entirely about tea. */
function encoder(calls: string[][]) {
  return compareWith(compare, async (texts) => {
    calls.push([...texts])
    return texts.map((text) => new Float32Array(embeddingSize).fill(text.startsWith('Buy our') ? 1 : 0, 0, 1))
  })
}

const calm = 'The garden is very green again this year, they say.'
const tea = 'Buy our fine tea now and tell all your friends.'

test('every policy category has a score, and untrained ones have 0', async () => {
  const [answer] = await answerTexts(weights, encoder([]), [calm])
  assert.deepEqual(Object.keys(answer?.scores ?? {}), [...policyCategoryIds])
  assert.equal(answer?.scores.personal_data, 0)
  assert.equal(answer?.judged, true)
})

test('the highest-scoring part of a text decides, minus the margin', async () => {
  const [alone, among] = await answerTexts(weights, encoder([]), [tea, `${calm} ${tea} ${calm}`])
  assert.equal(alone?.scores.spam, 0.8808)
  assert.equal(among?.scores.spam, 0.8176)
})

test('all parts of a request are embedded in one call, each once', async () => {
  const calls: string[][] = []
  await answerTexts(weights, encoder(calls), [tea, tea, `${calm} ${tea}`])
  assert.equal(calls.length, 1)
  assert.deepEqual(calls[0]?.sort(), [tea, calm, `${calm} ${tea}`].sort())
})

test('a language without word lists is not judged, and costs one embedding', async () => {
  const calls: string[][] = []
  const welsh = "Mae'r cyfarfod nesaf nos Fawrth am saith o'r gloch yn neuadd y pentref. Croeso cynnes i bawb."
  const [answer] = await answerTexts(weights, encoder(calls), [welsh])
  assert.deepEqual([answer?.judged, answer?.reason, calls[0]?.length], [false, 'language', 1])
})

test('a language with word lists is judged with its own calibration', async () => {
  const german = 'Der Garten ist in diesem Jahr wieder sehr grün, sagen die Nachbarn am Zaun.'
  const other = { ...weights, overall: { ...weights.overall, other: { slope: 0, offset: 0 } } }
  const [answer] = await answerTexts(other, encoder([]), [german])
  assert.deepEqual([answer?.judged, answer?.overall], [true, 0.5])
})

test('a text that is too long to read completely is not judged', async () => {
  const long = Array.from({ length: 800 }, (_, index) => `The garden number ${index} is green.`).join(' ')
  const [answer] = await answerTexts(weights, encoder([]), [long])
  assert.deepEqual([answer?.judged, answer?.reason], [false, 'length'])
})
