import { policyCategoryIds } from '../../policy/policy.ts'
import { gateInputs, gateLogit } from './gate.ts'
import { headLogits, joinInputs } from './head.ts'
import { measureWords } from './lexicon.ts'
import { type LocalScores, learntCategories } from './local-model.ts'
import { hashNgrams, ngramLogits } from './ngrams.ts'
import type { CategoryWeights, Weights } from './weights.ts'

/** The sum of both models for one part of a text, before calibration. */
export function sumLogits(weights: CategoryWeights, part: string, embedding: Float32Array): Float64Array {
  const lexicon = measureWords(part)
  const fromHead = headLogits(weights.head, joinInputs(embedding, lexicon))
  const fromNgrams = ngramLogits(weights.ngrams, hashNgrams(part, weights.ngrams.bits, lexicon))
  return fromHead.map((logit, index) => {
    const share = weights.headShare[index] ?? 0
    return share * logit + (1 - share) * (fromNgrams[index] ?? 0)
  })
}

/** The highest of a text's parts in each category. The first is the whole text; the others must exceed it by a margin. */
export function highestLogits(parts: readonly Float64Array[], margin: number): Float64Array {
  const [whole, ...others] = parts
  if (!whole) throw new Error('A text has at least one part.')
  return whole.map((logit, index) => Math.max(logit, ...others.map((part) => (part[index] ?? 0) - margin)))
}

/** Calibrated probabilities, in the order of the learnt categories. */
export function probabilitiesOf(
  { calibration }: Pick<CategoryWeights, 'calibration'>,
  logits: Float64Array,
): Float64Array {
  return logits.map((logit, index) =>
    logistic((calibration.slope[index] ?? 1) * logit + (calibration.offset[index] ?? 0)),
  )
}

export const logistic = (value: number): number => 1 / (1 + Math.exp(-value))

/** Scores of a text from its parts and their embeddings. */
export function scoreParts(
  weights: Weights,
  parts: readonly string[],
  embeddings: readonly Float32Array[],
): { scores: LocalScores; overall: number } {
  const scored = parts.map((part, index) => scorePart(weights, part, embeddings[index] ?? new Float32Array()))
  return joinParts(weights, parts[0] ?? '', scored)
}

/** What is known of one part of a text. */
export type ScoredPart = { logits: Float64Array; embedding: Float32Array }

export const scorePart = (weights: CategoryWeights, part: string, embedding: Float32Array): ScoredPart => ({
  logits: sumLogits(weights, part, embedding),
  embedding,
})

/** Scores of a text from its scored parts. The first part is the whole text. */
export function joinParts(
  weights: Pick<Weights, 'calibration' | 'partMargin' | 'gate' | 'overall'>,
  whole: string,
  parts: readonly ScoredPart[],
): { scores: LocalScores; overall: number } {
  const logits = parts.map((part) => part.logits)
  const embeddings = parts.map((part) => part.embedding)
  const probabilities = probabilitiesOf(weights, highestLogits(logits, weights.partMargin))
  const gate = gateLogit(weights.gate, gateInputs(embeddings, measureWords(whole)))
  const scores = Object.fromEntries(policyCategoryIds.map((category) => [category, 0])) as LocalScores
  learntCategories.forEach((category, index) => {
    scores[category] = round(probabilities[index] ?? 0)
  })
  return { scores, overall: round(overallOf(weights, probabilities, gate)) }
}

// Four places are more than the calibration can tell, and keep answers short.
const round = (probability: number) => Math.round(probability * 10_000) / 10_000

/** The probability that any rule is broken, of what the gate says and of the worst category. */
export function overallOf({ overall }: Pick<Weights, 'overall'>, probabilities: Float64Array, gate: number): number {
  return logistic(overall.category * worstLogit(probabilities) + overall.gate * gate + overall.offset)
}

/** The highest of the probabilities as a sum, within bounds: certainty is nowhere. */
export function worstLogit(probabilities: ArrayLike<number>): number {
  const worst = Math.min(0.9999, Math.max(0.0001, ...Array.from(probabilities)))
  return Math.log(worst / (1 - worst))
}
