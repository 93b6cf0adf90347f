import { thresholds as shipped, type Thresholds } from '../../../src/moderation/decisions/thresholds.ts'
import type { Opinion } from '../../../src/moderation/pipeline/opinion.ts'
import { policyCategoryIds } from '../../../src/policy/policy.ts'
import type { EvalPost } from '../../eval/data/read-set.ts'
import { averagePrecision, bootstrap } from '../../eval/metrics.ts'
import { type Fate, fateOf, type Observed } from '../../eval/models/open-model.ts'

export type ComparedFigure = {
  name: string
  live: number
  candidate: number
  /**
   * The candidate's figure minus the live model's, on resampled posts. The interval contains nine out of ten
   * differences.
   */
  low: number
  high: number
  isWorse: boolean
}

type Seen = { post: EvalPost; fate: Fate; opinion: Opinion }
type Pair = { live: Seen; candidate: Seen }

const figures: readonly { name: string; isBetter: 'lower' | 'higher'; of: (seen: readonly Seen[]) => number | null }[] =
  [
    { name: 'violating published', isBetter: 'lower', of: (seen) => shareWith(seen, true, 'published') },
    { name: 'benign rejected', isBetter: 'lower', of: (seen) => shareWith(seen, false, 'rejected') },
    { name: 'mean average precision', isBetter: 'higher', of: meanAveragePrecision },
  ]

/** The interval leaves out one in twenty on each side, so a figure outside it is worse by more than chance. */
const tail = 0.05

/**
 * Compares the figures that decide whether a candidate may go live, on the same posts in the same order. A figure is
 * worse if chance alone would cause such a drop less than once in twenty times. Equal figures are fine.
 */
export function compareModels(
  live: readonly Observed<EvalPost>[],
  candidate: readonly Observed<EvalPost>[],
  thresholds: { live: Thresholds; candidate: Thresholds } = { live: shipped, candidate: shipped },
): ComparedFigure[] {
  const [ofLive, ofCandidate] = [live.map(seeBy(thresholds.live)), candidate.map(seeBy(thresholds.candidate))]
  const pairs = ofLive.map((one, index): Pair => ({ live: one, candidate: ofCandidate[index] as Seen }))
  if (pairs.some((pair) => pair.live.post.id !== pair.candidate?.post.id))
    throw new Error('The two models were measured on different posts.')
  return figures.map(({ name, isBetter, of }) => {
    const [before, after] = [of(ofLive), of(ofCandidate)]
    const difference = bootstrap(pairs, (drawn) => differenceOf(drawn, of), tail)
    if (before === null || after === null || !difference) throw new Error(`The set has no posts for ${name}.`)
    const isWorse = isBetter === 'lower' ? difference.low > 0 : difference.high < 0
    return { name, live: before, candidate: after, ...difference, isWorse }
  })
}

const seeBy =
  (thresholds: Thresholds) =>
  ({ post, opinion }: Observed<EvalPost>): Seen => ({ post, opinion, fate: fateOf(opinion, thresholds) })

function differenceOf(drawn: readonly Pair[], of: (seen: readonly Seen[]) => number | null): number | null {
  const [live, candidate] = [of(drawn.map((pair) => pair.live)), of(drawn.map((pair) => pair.candidate))]
  return live === null || candidate === null ? null : candidate - live
}

function shareWith(seen: readonly Seen[], violating: boolean, fate: Fate): number | null {
  const own = seen.filter(({ post }) => post.violating === violating)
  return own.length === 0 ? null : own.filter((one) => one.fate === fate).length / own.length
}

/** Each category compared with the posts that break no rule, by the higher score of rules and model. */
function meanAveragePrecision(seen: readonly Seen[]): number | null {
  const each = policyCategoryIds.flatMap((category) => {
    const own = seen.filter(({ post }) => !post.violating || post.category === category)
    const scored = own.map(({ post, opinion: { rules, local } }) => ({
      score: Math.max(rules.scores[category], local.scores[category]),
      positive: post.violating,
    }))
    return averagePrecision(scored) ?? []
  })
  return each.length === 0 ? null : each.reduce((sum, one) => sum + one, 0) / each.length
}
