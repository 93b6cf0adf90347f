import { showProgress } from '../../../src/bin/progress.ts'
import { firstAuthor } from '../../eval/data/read-set.ts'
import { partsOf, type Vectors } from '../../eval/embeddings/embed-texts.ts'
import { isPerhapsEnglish } from '../../server/local/features/language.ts'
import { prepareText } from '../../server/local/features/prepare-text.ts'
import { type KernelModel, kernelScore, nearnessOf } from '../../server/local/scoring/kernel.ts'
import { highestScore, isLikePost, logistic, readPart, type TextLanguage } from '../../server/local/scoring/score.ts'
import type { CategoryWeights, Overall } from '../../server/local/scoring/weights.ts'
import type { OwnPost } from '../data/own-rows.ts'
import { calibrate } from './calibrate.ts'
import { compareExamples, fitKernel, type KernelExample } from './fit-kernel.ts'
import { scoreTexts } from './score-texts.ts'

/**
 * How much the score of a part must exceed that of the whole text. Lower values find more violations hidden in long
 * texts, and send more long texts to review.
 */
const margin = 0.3

/** A post as scored by models trained without its author. */
export type Unseen = { post: OwnPost; probabilities: number[]; overall: number }

type Learning = {
  posts: readonly OwnPost[]
  vectors: Vectors
  /** The categories as scored by a model trained without the post. */
  categoriesFor: (post: OwnPost) => CategoryWeights
}

/**
 * Learns the probability that a post breaks any rule. Also returns the scores of each author's posts from a model
 * trained without that author.
 */
export function learnKernel({ posts, vectors, categoriesFor }: Learning): {
  kernel: KernelModel
  overall: Overall
  unseen: Unseen[]
} {
  const read = posts.map((post) => {
    const weights = categoriesFor(post)
    const parts = partsOf(post.text).filter((part, index) => index === 0 || isLikePost(part))
    return parts.map((part) => ({ ...readPart(weights, part, vectors.of(part)), embedding: vectors.of(part) }))
  })
  const examples = posts.map(({ isViolating, weight }, index): KernelExample => {
    const [whole] = read[index] ?? []
    if (!whole) throw new Error('A post must have at least one part.')
    return { ...whole, isViolating, weight }
  })
  const problem = compareExamples(examples)
  const places = posts.map((_, place) => place)
  const scores = new Float64Array(posts.length)
  const authors = [...new Set(posts.map(({ author }) => author))]
  const progress = showProgress('leaving authors out')
  for (const [index, author] of authors.entries()) {
    const kernel = fitKernel(
      problem,
      places.filter((place) => posts[place]?.author !== author),
    )
    for (const place of places)
      if (posts[place]?.author === author)
        scores[place] = highestScore(
          (read[place] ?? []).map((part) =>
            kernelScore(kernel, { ...part, nearness: nearnessOf(kernel, part.embedding) }),
          ),
          margin,
        )
    progress(index + 1, authors.length)
  }
  const languages = posts.map(({ text }) => (isPerhapsEnglish(prepareText(text)) ? 'english' : 'other'))
  const calibrated = (language: TextLanguage) => {
    // Excludes the first author's posts: the categories were trained on them.
    const own = places.filter((place) => languages[place] === language && posts[place]?.author !== firstAuthor)
    return calibrateEvenly(
      own.map((place) => scores[place] as number),
      own.map((place) => posts[place] as OwnPost),
    )
  }
  const overall = { english: calibrated('english'), other: calibrated('other'), margin }
  const unseen = posts.map((post, place) => {
    const { slope, offset } = overall[languages[place] as TextLanguage]
    return {
      post,
      probabilities: scoreTexts(categoriesFor(post), [post.text], vectors)[0] ?? [],
      overall: logistic(slope * (scores[place] as number) + offset),
    }
  })
  return { kernel: fitKernel(problem, places), overall, unseen }
}

/** The probability for a set in which half of the posts break a rule. The operator sets the real share. */
export function calibrateEvenly(
  scores: readonly number[],
  posts: readonly OwnPost[],
): { slope: number; offset: number } {
  const spread = 4
  const { slope, offset } = calibrate(
    scores.map((score) => score * spread),
    posts.map(({ isViolating }) => Number(isViolating)),
  )
  const violating = posts.filter(({ isViolating }) => isViolating).length
  return { slope: slope * spread, offset: offset - Math.log(violating / (posts.length - violating)) }
}
