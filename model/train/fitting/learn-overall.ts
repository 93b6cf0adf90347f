import { createHash } from 'node:crypto'
import { partsOf, type Vectors } from '../../eval/embeddings/embed-texts.ts'
import { measureWords } from '../../server/local/features/lexicon.ts'
import { logistic, worstLogit } from '../../server/local/scoring/score.ts'
import type { CategoryWeights } from '../../server/local/scoring/weights.ts'
import type { OwnPost } from '../data/own-rows.ts'
import { calibrate } from './calibrate.ts'
import { fitGate, type Gate, gateInputs, gateLogit, type Overall } from './fit-gate.ts'
import { scoreTexts } from './score-texts.ts'

/** The highest category's share of the sum; the rest is the gate's. Chosen on posts that neither was trained on. */
const categoryShare = 0.3
const folds = 5

/** A post as scored by models trained without it. */
export type Unseen = { post: OwnPost; probabilities: number[]; overall: number }

type Learning = {
  posts: readonly OwnPost[]
  vectors: Vectors
  /** The categories, learnt without these posts. */
  withoutPosts: (unseen: readonly OwnPost[], fold: number) => CategoryWeights
}

/**
 * Learns the gate, and how to combine it with the categories into one probability. The weights of both come from their
 * scores on unseen posts, in five folds.
 */
export function learnOverall({ posts, vectors, withoutPosts }: Learning): {
  gate: Gate
  overall: Overall
  unseen: Unseen[]
} {
  const inputs = new Map(posts.map((post) => [post, inputsOf(post.text, vectors)]))
  const fit = (those: readonly OwnPost[]) =>
    fitGate(
      those.map((post) => inputs.get(post) as Float32Array),
      those.map(({ isViolating }) => Number(isViolating)),
      those.map(({ weight }) => weight),
    )
  const seen = Array.from({ length: folds }, (_, fold) => {
    const own = posts.filter(({ text }) => foldOf(text) === fold)
    const gate = fit(posts.filter(({ text }) => foldOf(text) !== fold))
    const scores = scoreTexts(
      withoutPosts(own, fold),
      own.map(({ text }) => text),
      vectors,
    )
    return own.map((post, index) => {
      const probabilities = scores[index] ?? []
      return {
        post,
        probabilities,
        worst: worstLogit(probabilities),
        gate: gateLogit(gate, inputs.get(post) as Float32Array),
      }
    })
  }).flat()
  const overall = weigh(seen)
  const unseen = seen.map(({ post, probabilities, worst, gate }) => ({
    ...{ post, probabilities },
    overall: logistic(overall.category * worst + overall.gate * gate + overall.offset),
  }))
  return { gate: fit(posts), overall, unseen }
}

/** The gate's inputs for a text. */
export function inputsOf(text: string, vectors: Vectors): Float32Array {
  const parts = partsOf(text)
  return gateInputs(
    parts.map((part) => vectors.of(part)),
    measureWords(parts[0] ?? ''),
  )
}

const foldOf = (text: string) => Number(createHash('sha256').update(text).digest()[0]) % folds

/** Scales each score by its own spread, and turns the sum into a probability. */
function weigh(seen: readonly { post: OwnPost; worst: number; gate: number }[]): Overall {
  const { category, gate } = sharesOf(
    seen.map(({ worst }) => worst),
    seen.map((one) => one.gate),
  )
  const sums = seen.map((one) => category * one.worst + gate * one.gate)
  const { slope, offset } = calibrate(
    sums,
    seen.map(({ post }) => Number(post.isViolating)),
  )
  return { category: slope * category, gate: slope * gate, offset }
}

const sharesOf = (worst: readonly number[], gate: readonly number[], share = categoryShare) => ({
  category: share / spreadOf(worst),
  gate: (1 - share) / spreadOf(gate),
})

/**
 * Combines both into a number between 0 and 1 for posts that neither was trained on. The order is meaningful, but the
 * number is not calibrated.
 */
export function weighTogether(worst: readonly number[], said: readonly number[], share = categoryShare): number[] {
  const { category, gate } = sharesOf(worst, said, share)
  return worst.map((value, index) => logistic(category * value + gate * (said[index] ?? 0)))
}

function spreadOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1
}
