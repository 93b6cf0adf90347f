import { policyCategoryIds } from '../../../../src/policy/policy.ts'
import type { Encoded } from '../encoder/compare.ts'
import { conceptNames, measureConcepts } from '../features/concepts/measure-concepts.ts'
import { lexiconNames, measureWords } from '../features/lexicon.ts'
import { hashNgrams, ngramLogits } from '../features/ngrams.ts'
import { type LocalScores, learntCategories } from '../local-model.ts'
import { headLogits, joinInputs } from './head.ts'
import { type KernelInputs, kernelScore } from './kernel.ts'
import type { CategoryWeights, Weights } from './weights.ts'

/** The models' input for one part of a text. */
export function readPart(
  weights: CategoryWeights,
  part: string,
  embedding: Float32Array,
): Omit<KernelInputs, 'nearness'> & { logits: Float64Array } {
  const lexicon = measureWords(part)
  const ngrams = hashNgrams(part, weights.ngrams.bits, lexicon)
  const logits = mixLogits(
    weights,
    headLogits(weights.head, joinInputs(embedding, lexicon)),
    ngramLogits(weights.ngrams, ngrams),
  )
  return { ngrams, logits, dense: Float32Array.from([...lexicon, ...measureConcepts(part), ...logits]) }
}

/** The length of `dense`. */
export const denseSize = lexiconNames.length + conceptNames.length + learntCategories.length

function mixLogits({ headShare }: CategoryWeights, fromHead: Float64Array, fromNgrams: Float64Array): Float64Array {
  return fromHead.map((logit, index) => {
    const share = headShare[index] ?? 0
    return share * logit + (1 - share) * (fromNgrams[index] ?? 0)
  })
}

/**
 * The highest score of a text's parts in each category. The first part is the whole text; the others must exceed it by
 * a margin.
 */
function highestLogits(parts: readonly Float64Array[], margin: number): Float64Array {
  const [whole, ...others] = parts
  if (!whole) throw new Error('A text must have at least one part.')
  return whole.map((logit, index) => Math.max(logit, ...others.map((part) => (part[index] ?? 0) - margin)))
}

/** Calibrated probabilities, in the order of the trained categories. */
function probabilitiesOf({ calibration }: Pick<CategoryWeights, 'calibration'>, logits: Float64Array): Float64Array {
  return logits.map((logit, index) =>
    logistic((calibration.slope[index] ?? 1) * logit + (calibration.offset[index] ?? 0)),
  )
}

export const logistic = (value: number): number => 1 / (1 + Math.exp(-value))

/** Scores are less reliable in languages other than English, so each language has its own calibration. */
export type TextLanguage = 'english' | 'other'

/** Scores a text from its parts and their encodings. */
export function scoreParts(
  weights: Weights,
  { parts, language }: { parts: readonly string[]; language: TextLanguage },
  encoded: readonly Encoded[],
): { scores: LocalScores; overall: number } {
  return joinParts(
    weights,
    { language },
    parts.map((part, index) => scorePart(weights, part, encoded[index] as Encoded, index === 0)),
  )
}

/** The scores of one part of a text. Short parts, such as sentences, have no overall score. */
export type ScoredPart = { logits: Float64Array; score: number | null }

/** Shorter parts are not scored as posts, because on their own they would raise false alarms. */
const leastWords = 30

export function scorePart(
  weights: Weights,
  part: string,
  { embedding, nearness }: Encoded,
  isWhole = false,
): ScoredPart {
  const inputs = readPart(weights, part, embedding)
  const isScored = isWhole || isLikePost(part)
  return { logits: inputs.logits, score: isScored ? kernelScore(weights.kernel, { ...inputs, nearness }) : null }
}

export const isLikePost = (part: string): boolean => part.split(' ', leastWords).length === leastWords

/** Combines the scores of a text's parts. The first part is the whole text. */
export function joinParts(
  weights: Pick<Weights, 'calibration' | 'partMargin' | 'overall'>,
  { language }: { language: TextLanguage },
  parts: readonly ScoredPart[],
): { scores: LocalScores; overall: number } {
  const logits = parts.map((part) => part.logits)
  const probabilities = probabilitiesOf(weights, highestLogits(logits, weights.partMargin))
  const scores = Object.fromEntries(policyCategoryIds.map((category) => [category, 0])) as LocalScores
  learntCategories.forEach((category, index) => {
    scores[category] = round(probabilities[index] ?? 0)
  })
  const { margin, [language]: calibration } = weights.overall
  const score = highestScore(
    parts.map((part) => part.score),
    margin,
  )
  return { scores, overall: round(logistic(calibration.slope * score + calibration.offset)) }
}

/**
 * The score of the whole text, or of a part that exceeds it by a margin, so that a harmful part among harmless ones
 * counts.
 */
function highestScore([whole, ...parts]: readonly (number | null)[], margin: number): number {
  return Math.max(whole ?? 0, ...parts.flatMap((score) => (score === null ? [] : [score - margin])))
}

// Four decimals are more precise than the calibration and keep responses short.
const round = (probability: number) => Math.round(probability * 10_000) / 10_000
