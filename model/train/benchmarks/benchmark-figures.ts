import { type LearntCategory, learntCategories } from '../../server/local/local-model.ts'
import type { OpenaiLabel, OpenaiRow } from '../data/sources/openai.ts'
import { averagePrecision, bootstrapInterval, measureAt, type Scored } from './metrics.ts'

/** One line of benchmarks.json. Figures have three decimals, because the sets are too small for more. */
export type Figure = {
  name: string
  what: string
  n: number
  positives: number
  average_precision?: number
  interval_95?: [number, number]
  keyword_average_precision?: number
  at_half?: { precision: number; recall: number; f1: number }
  false_alarms: { at_half: number; at_nine_tenths: number }
}

type Measured = { name: string; what: string; scored: Scored[]; keywords: readonly number[] }

/** The figures for one set. A set without violating texts has only false alarms. */
export function figureOf({ name, what, scored, keywords }: Measured): Figure {
  const positives = scored.filter(({ isPositive }) => isPositive).length
  const half = measureAt(scored)
  const about = { name, what, n: scored.length, positives }
  const false_alarms = { at_half: round(half.falseAlarms), at_nine_tenths: round(measureAt(scored, 0.9).falseAlarms) }
  if (positives === 0) return { ...about, false_alarms }
  const byKeyword = scored.map(({ isPositive }, index) => ({ score: keywords[index] ?? 0, isPositive }))
  const [low, high] = bootstrapInterval(scored)
  return {
    ...about,
    average_precision: round(averagePrecision(scored)),
    interval_95: [round(low), round(high)],
    keyword_average_precision: round(averagePrecision(byKeyword)),
    at_half: { precision: round(half.precision), recall: round(half.recall), f1: round(half.f1) },
    false_alarms,
  }
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000

const at = (probabilities: readonly number[], category: LearntCategory): number =>
  probabilities[learntCategories.indexOf(category)] ?? 0

/** Whether a text has any of the categories that OpenAI's labels cover. */
export const anyOf = (probabilities: readonly number[]): number =>
  Math.max(
    ...(['hate_harassment', 'sexual', 'violence_threats', 'self_harm'] as const).map((category) =>
      at(probabilities, category),
    ),
  )

const byLabel: Record<OpenaiLabel, (probabilities: readonly number[]) => number> = {
  S: (those) => at(those, 'sexual'),
  H: (those) => at(those, 'hate_harassment'),
  V: (those) => at(those, 'violence_threats'),
  HR: (those) => at(those, 'hate_harassment'),
  SH: (those) => at(those, 'self_harm'),
  H2: (those) => at(those, 'hate_harassment') * at(those, 'violence_threats'),
  V2: (those) => at(those, 'violence_threats'),
}

/** The figures for the whole benchmark and for each label. Rows without a value for that label are excluded. */
export function openaiFigures(
  way: 'cv' | 'zero-shot',
  rows: readonly OpenaiRow[],
  scores: readonly (readonly number[])[],
  keywords: readonly number[],
  /** The score for any label. Default: the highest category score. */
  overall?: readonly number[],
): Figure[] {
  const explained =
    way === 'cv' ? 'OpenAI benchmark, 5-fold cross-validation' : 'OpenAI benchmark, none of it trained on'
  const all = rows.map(({ marks }, index) => ({
    score: overall?.[index] ?? anyOf(scores[index] ?? []),
    isPositive: Object.values(marks).includes(1),
  }))
  const labelled = Object.entries(byLabel).map(([label, scoreOf]) => {
    const known = rows.flatMap(({ marks }, index) => (marks[label as OpenaiLabel] === undefined ? [] : [index]))
    const scored = known.map((index) => ({
      score: scoreOf(scores[index] ?? []),
      isPositive: rows[index]?.marks[label as OpenaiLabel] === 1,
    }))
    return figureOf({
      name: `openai-${label}-${way}`,
      what: `${explained}, label ${label}`,
      scored,
      keywords: known.map((index) => keywords[index] ?? 0),
    })
  })
  return [figureOf({ name: `openai-any-${way}`, what: `${explained}, any label`, scored: all, keywords }), ...labelled]
}

/** The score of a text in a set: one category, or the highest of all. */
export const scoreOfSet = (probabilities: readonly number[], category: LearntCategory | 'any'): number =>
  category === 'any' ? Math.max(...probabilities) : at(probabilities, category)

/** The column headings of `figureRow`. */
export const figureHead = [
  '| set | n / violating | average precision [95 %] | list of words | precision / recall / F1 at 0.5 | false alarms at 0.5 / 0.9 |',
  '| --- | --- | --- | --- | --- | --- |',
]

/** A figure as a line of the model card. */
export function figureRow(figure: Figure): string {
  const { average_precision, interval_95: [low, high] = [], keyword_average_precision, at_half, false_alarms } = figure
  const number = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(3))
  const share = (value: number) => `${(value * 100).toFixed(1)} %`
  return `| ${[
    figure.name,
    `${figure.n} / ${figure.positives}`,
    average_precision === undefined ? '–' : `${number(average_precision)} [${number(low)}–${number(high)}]`,
    number(keyword_average_precision),
    at_half ? `${number(at_half.precision)} / ${number(at_half.recall)} / ${number(at_half.f1)}` : '–',
    `${share(false_alarms.at_half)} / ${share(false_alarms.at_nine_tenths)}`,
  ].join(' | ')} |`
}
