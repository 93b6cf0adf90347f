import { thresholds } from '../../../src/moderation/decisions/thresholds.ts'
import type { Opinion } from '../../../src/moderation/pipeline/opinion.ts'
import { isAbusive, type PolicyCategoryId, policyCategoryIds } from '../../../src/policy/policy.ts'
import { type EvalPost, type Group, groupOf } from '../data/read-set.ts'
import {
  averagePrecision,
  bootstrap,
  calibrationError,
  precisionAndRecall,
  type Scored,
  type Share,
  shareOf,
} from '../metrics.ts'
import { type Fate, fateOf, fates, noScores, type Observed } from '../models/open-model.ts'

/** A figure over n posts, with its 95 % interval. */
export type Figure = { value: number; low: number; high: number; n: number }

export type CategoryFigures = {
  category: PolicyCategoryId
  /** The violating posts of the category (`violating`) and the posts that break no rule, together. */
  n: number
  violating: number
  average_precision: number
  low: number
  high: number
  /** Measured at the shipped thresholds from which a stage names the category. */
  precision: number | null
  recall: number
  /** The share of the violating posts that the whole table publishes. */
  published: number
}

export type StageFigures = {
  /** The outcomes for each group. */
  shares: Record<Group, Record<Fate, Share> | null>
  violating_published: Share | null
  /** The share of violating posts that are published, without low quality, which is harmless. */
  abusive_published: Share | null
  /** Near misses and clean posts together. */
  benign_rejected: Share | null
  benign_published: Share | null
  /** Harmless posts sent to review. */
  benign_review: Share | null
  /** The share of all posts sent to review. The mix of the set differs from real traffic. */
  review_share: Share | null
  /** For “breaks any rule”: the local model's own probability, or the highest score of a rule. */
  average_precision: Figure | null
  calibration_error: Figure | null
  categories: CategoryFigures[]
}

type Seen = Observed<EvalPost> & { fate: Fate; scored: Scored }

/** All figures for one stage, or for all stages together, over the observed posts. */
export function measureStage(observed: readonly Observed<EvalPost>[]): StageFigures {
  const seen: Seen[] = observed.map((one) => ({
    ...one,
    fate: fateOf(one.opinion),
    scored: { score: highestScore(one.opinion), positive: one.post.violating },
  }))
  const benign = seen.filter(({ post }) => !post.violating)
  const violating = seen.filter(({ post }) => post.violating)
  const scored = seen.map((one) => one.scored)
  return {
    shares: {
      violating: fateShares(seen, 'violating'),
      near_miss: fateShares(seen, 'near_miss'),
      clean: fateShares(seen, 'clean'),
    },
    violating_published: shareWith(violating, 'published'),
    abusive_published: shareWith(
      violating.filter(({ post }) => isAbusive(post.category)),
      'published',
    ),
    benign_rejected: shareWith(benign, 'rejected'),
    benign_published: shareWith(benign, 'published'),
    benign_review: shareWith(benign, 'review'),
    review_share: shareWith(seen, 'review'),
    average_precision: figureOf(scored, averagePrecision),
    calibration_error: figureOf(scored, calibrationError),
    categories: policyCategoryIds.flatMap((category) => measureCategory(category, seen)),
  }
}

const shareWith = (seen: readonly Seen[], fate: Fate) => shareOf(seen.map((one) => one.fate === fate))

function fateShares(seen: readonly Seen[], group: Group): Record<Fate, Share> | null {
  const own = seen.filter(({ post }) => groupOf(post) === group)
  if (own.length === 0) return null
  return Object.fromEntries(fates.map((fate) => [fate, shareWith(own, fate)])) as Record<Fate, Share>
}

function figureOf(scored: readonly Scored[], figure: (scored: readonly Scored[]) => number | null): Figure | null {
  const value = figure(scored)
  const interval = bootstrap(scored, figure)
  return value === null || interval === null ? null : { value, ...interval, n: scored.length }
}

/**
 * The violating posts of one category and the posts that break no rule. Violating posts of other categories are
 * excluded: each has one label and may also break this rule.
 */
function measureCategory(category: PolicyCategoryId, seen: readonly Seen[]): CategoryFigures[] {
  const own = seen.filter(({ post }) => !post.violating || post.category === category)
  const violating = own.filter(({ post }) => post.violating)
  const precision = figureOf(
    own.map(({ post, opinion }) => ({ score: scoreOf(opinion, category), positive: post.violating })),
    averagePrecision,
  )
  if (precision === null) return []
  const flags = precisionAndRecall(
    own.map(({ post, opinion }) => ({ flagged: isFlagged(opinion, category), positive: post.violating })),
  )
  const { value, low, high, n } = precision
  return [
    {
      category,
      n,
      violating: violating.length,
      average_precision: value,
      low,
      high,
      precision: flags.precision,
      recall: flags.recall ?? 0,
      published: violating.filter(({ fate }) => fate === 'published').length / violating.length,
    },
  ]
}

/** The highest score of any stage for this category. A judge counts only if it names the category. */
function scoreOf({ rules, local, judge }: Opinion, category: PolicyCategoryId): number {
  const judged = typeof judge === 'string' || judge.category !== category ? 0 : judge.score
  return Math.max(rules.scores[category], local.scores[category], judged)
}

/**
 * The score for “breaks any rule”: the local model's own estimate, or the highest score of a stage that names a
 * category.
 */
const highestScore = ({ rules, local, judge }: Opinion) =>
  Math.max(local.overall, ...policyCategoryIds.map((id) => scoreOf({ rules, local: unnamed(local), judge }, id)))

const unnamed = (local: Opinion['local']): Opinion['local'] => ({ ...local, scores: noScores })

/** Whether any stage names the category at the shipped thresholds. */
function isFlagged({ rules, local, judge }: Opinion, category: PolicyCategoryId): boolean {
  return (
    rules.scores[category] >= thresholds.rules.hint ||
    local.scores[category] >= thresholds.local.agree ||
    (typeof judge !== 'string' && judge.category === category)
  )
}
