import { thresholds as shipped, type Thresholds } from '../../../src/moderation/decisions/thresholds.ts'
import type { EvalPost } from '../data/read-set.ts'
import type { Observed } from '../models/open-model.ts'
import { measureScenario, type ScenarioName } from './scenarios.ts'

export type CurvePoint = {
  threshold: number
  /** The account or judge for which this is the shipped threshold. */
  shipped_for: string | null
  harmless_review: number | null
  harmless_review_english: number | null
  violating_published: number | null
}

/** One curve: no judge, by the score below which a post is published. The other: a judge that accepts everything. */
export type Curves = { no_judge: CurvePoint[]; accepting_judge: CurvePoint[] }

const publishLimits = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7]
const suspectLimits = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]

/** What other thresholds would do to posts whose authors the model has not seen. */
export function measureCurves(observed: readonly Observed<EvalPost>[]): Curves {
  const english = observed.filter(({ post }) => post.language === 'en')
  const { publish, publish_trusted, suspect } = shipped.local
  const point = (name: ScenarioName, threshold: number, local: Partial<Thresholds['local']>, shippedFor?: string) => {
    const thresholds = { ...shipped, local: { ...shipped.local, ...local } }
    const { harmless_review, violating_published } = measureScenario(observed, name, thresholds)
    return {
      threshold,
      shipped_for: shippedFor ?? null,
      harmless_review: harmless_review?.share ?? null,
      harmless_review_english: measureScenario(english, name, thresholds).harmless_review?.share ?? null,
      violating_published: violating_published?.share ?? null,
    }
  }
  const withoutJudge = (limit: number, shippedFor?: string) =>
    point('new_account', limit, { publish: limit, publish_trusted: limit }, shippedFor)
  const withJudge = (limit: number, shippedFor?: string) =>
    point('accepting_judge', limit, { suspect: limit }, shippedFor)
  return {
    no_judge: sorted([
      ...publishLimits.map((limit) => withoutJudge(limit)),
      withoutJudge(publish, 'new accounts'),
      withoutJudge(publish_trusted, 'trusted accounts'),
    ]),
    accepting_judge: sorted([...suspectLimits.map((limit) => withJudge(limit)), withJudge(suspect, 'any account')]),
  }
}

const sorted = (points: CurvePoint[]) => points.sort((one, other) => one.threshold - other.threshold)
