import { join } from 'node:path'
import { decide } from '../../../src/moderation/decisions/decision-table.ts'
import { thresholds as shipped, type Thresholds } from '../../../src/moderation/decisions/thresholds.ts'
import { readRules } from '../../../src/moderation/pipeline/judge-in-stages.ts'
import type { CategoryScores, Opinion } from '../../../src/moderation/pipeline/opinion.ts'
import { firstAuthor } from '../../eval/data/read-set.ts'
import { authorName, noScores } from '../../eval/models/open-model.ts'
import { isInListedLanguage, isPerhapsEnglish } from '../../server/local/features/language.ts'
import { prepareText } from '../../server/local/features/prepare-text.ts'
import { learntCategories } from '../../server/local/local-model.ts'
import { readWeights } from '../../server/local/scoring/weights.ts'
import type { Unseen } from '../fitting/learn-kernel.ts'
import { installThresholds, liveThresholds, thresholdsName, writeThresholds } from './install-model.ts'

/** The share of harmless posts that a judge may publish; higher scores go to review. */
const harmlessBelowSuspect = 0.97

/**
 * Chooses the score from which no judge can publish a post: the 97th percentile of harmless posts, each scored by a
 * model trained without its author. The threshold for publishing without a judge follows from the costs. Both are
 * written next to the weights and, for the shipped weights, also to the live file.
 */
export async function chooseThresholds(
  unseen: readonly Unseen[],
  { directory, isShipped }: { directory: string; isShipped: boolean },
): Promise<void> {
  // The categories were trained on the first author's posts.
  const strangers = unseen.filter(({ post }) => post.author !== firstAuthor)
  const judged = strangers.filter(({ post }) => isPerhapsEnglish(prepareText(post.text)))
  const harmless = judged.filter(({ post }) => !post.isViolating).map(({ overall }) => overall)
  const sorted = harmless.sort((one, other) => one - other)
  const suspect = Math.round((sorted[Math.floor(sorted.length * harmlessBelowSuspect)] ?? 1) * 1_000) / 1_000
  const { version: model } = await readWeights(directory)
  const chosen: Thresholds = { ...shipped, model, local: { ...shipped.local, suspect } }
  printCurve(strangers, chosen)
  if (!isShipped) return writeThresholds(join(directory, thresholdsName), chosen)
  const version = installThresholds(liveThresholds, chosen, new Date().toISOString().slice(0, 10))
  console.log(`src/moderation/decisions/thresholds.json has version ${version}.`)
}

/**
 * Prints the outcomes for posts by held-out authors: for several limits, and for the limit derived from the costs.
 */
function printCurve(unseen: readonly Unseen[], thresholds: Thresholds): void {
  const opinions = unseen.map((one) => ({ ...one, opinion: opinionOf(one) }))
  const violating = opinions.filter(({ post }) => post.isViolating)
  const harmless = opinions.filter(({ post }) => !post.isViolating)
  const english = harmless.filter(({ post }) => isPerhapsEnglish(prepareText(post.text)))
  const share = (those: typeof opinions, outcome: string, limit: number) => {
    const local = { ...thresholds.local, publish: limit, publish_trusted: limit }
    return (
      those.filter(({ opinion }) => decide(opinion, { ...thresholds, local }).outcome === outcome).length / those.length
    )
  }
  console.log('publish below   violating published   harmless to review: all, English')
  const { publish, publish_trusted } = thresholds.local
  const limits = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, publish, publish_trusted]
  for (const limit of limits.sort((one, other) => one - other)) {
    const figures = [
      share(violating, 'publish', limit),
      share(harmless, 'review', limit),
      share(english, 'review', limit),
    ]
    const mark = limit === publish ? '  new accounts' : limit === publish_trusted ? '  trusted accounts' : ''
    console.log(
      `${limit.toFixed(3)}  ${figures.map((value) => `${(value * 100).toFixed(1)} %`.padStart(9)).join('')}${mark}`,
    )
  }
  console.log(`suspect from ${thresholds.local.suspect}`)
}

function opinionOf({ post, probabilities, overall }: Unseen): Opinion {
  const learnt = Object.fromEntries(learntCategories.map((id, index) => [id, probabilities[index] ?? 0]))
  return {
    rules: readRules({ texts: [{ field: 'text', text: post.text }], authorName }),
    local: {
      scores: { ...noScores, ...learnt } as CategoryScores,
      overall,
      judged: isPerhapsEnglish(prepareText(post.text)) || isInListedLanguage(prepareText(post.text)),
    },
    judge: 'absent',
  }
}
