import { averagePrecision as averageOf } from '../../eval/metrics.ts'
import { chance } from '../fitting/random.ts'

/** A score, and whether the text breaks the rule. */
export type Scored = { score: number; isPositive: boolean }

/** The same as in the scoreboard, but 0 without positives. */
export const averagePrecision = (scored: readonly Scored[]): number =>
  averageOf(scored.map(({ score, isPositive }) => ({ score, positive: isPositive }))) ?? 0

/** The middle 95 % of average precisions over samples drawn with replacement. */
export function bootstrapInterval(scored: readonly Scored[], resamples = 500): [number, number] {
  const next = chance(5)
  const values = Array.from({ length: resamples }, () =>
    averagePrecision(scored.map(() => scored[Math.floor(next() * scored.length)] as Scored)),
  ).sort((one, other) => one - other)
  const at = (share: number) => values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0
  return [at(0.025), at(0.975)]
}

/** Precision, recall and F1 at a threshold, and the share of harmless texts above it. */
export function measureAt(scored: readonly Scored[], threshold = 0.5) {
  const count = (isAbove: boolean, isPositive: boolean) =>
    scored.filter((one) => one.score >= threshold === isAbove && one.isPositive === isPositive).length
  const [hits, alarms, missed, calm] = [count(true, true), count(true, false), count(false, true), count(false, false)]
  const precision = hits / Math.max(1, hits + alarms)
  const recall = hits / Math.max(1, hits + missed)
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  return { precision, recall, f1, falseAlarms: alarms / Math.max(1, alarms + calm) }
}
