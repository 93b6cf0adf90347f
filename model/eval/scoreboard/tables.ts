import type { ObfuscationFigures } from '../attacks/obfuscation.ts'
import { wrappers } from '../attacks/wrappers.ts'
import type { Share } from '../metrics.ts'
import { figureNames } from './benchmarks.ts'
import type { CurvePoint } from './curves.ts'
import type { Figure } from './measure.ts'
import { publishedFigures, publishedOnXstest } from './published-figures.ts'
import { type GroupFigures, type ScenarioFigures, type ScenarioName, scenarioNames } from './scenarios.ts'
import type { Figures, PartFigures, Scoreboard } from './scoreboard.ts'

/** A Markdown table. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

export const percent = (value: number | null): string => (value === null ? '–' : `${(value * 100).toFixed(1)} %`)
const figure = (value: number | null) => (value === null ? '–' : value.toFixed(3))

const shareWords = (share: Share | null) =>
  share ? `${percent(share.share)} (${percent(share.low)}–${percent(share.high)})` : '–'
const figureWords = (one: Figure | null) =>
  one ? `${figure(one.value)} (${figure(one.low)}–${figure(one.high)})` : '–'

/** The main figures, one column per way to decide. */
export function mainTable(columns: readonly (readonly [title: string, figures: Figures])[]): string {
  const rows: [string, (figures: Figures) => string][] = [
    ['violating: published', ({ violating_published }) => shareWords(violating_published)],
    ['violating: review', ({ shares }) => shareWords(shares.violating?.review ?? null)],
    ['violating: rejected', ({ shares }) => shareWords(shares.violating?.rejected ?? null)],
    ['abusive (violating, without low quality): published', (figures) => shareWords(figures.abusive_published)],
    ['near miss: published', ({ shares }) => shareWords(shares.near_miss?.published ?? null)],
    ['near miss: review', ({ shares }) => shareWords(shares.near_miss?.review ?? null)],
    ['near miss: rejected', ({ shares }) => shareWords(shares.near_miss?.rejected ?? null)],
    ['clean: published', ({ shares }) => shareWords(shares.clean?.published ?? null)],
    ['clean: review', ({ shares }) => shareWords(shares.clean?.review ?? null)],
    ['clean: rejected', ({ shares }) => shareWords(shares.clean?.rejected ?? null)],
    ['harmless (near miss and clean): rejected', ({ benign_rejected }) => shareWords(benign_rejected)],
    ['harmless: review', ({ benign_review }) => shareWords(benign_review)],
    ['all posts: review', ({ review_share }) => shareWords(review_share)],
    ['average precision, “breaks any rule”', (figures) => figureWords(figures.average_precision)],
    ['calibration error', (figures) => figureWords(figures.calibration_error)],
  ]
  return table(
    ['', ...columns.map(([title]) => title)],
    rows.map(([words, cell]) => [words, ...columns.map(([, figures]) => cell(figures))]),
  )
}

/** The combinations of stages that a part of the set was measured with. */
export const columnsOf = (part: PartFigures): [string, Figures][] => [
  ['rules alone', part.rules_alone],
  ['local model alone', part.local_alone],
  ['both, no judge', part.pipeline_without_judge],
  ...(part.pipeline_with_judge ? [['with judge', part.pipeline_with_judge] as [string, Figures]] : []),
]

const scenarioWords: Record<ScenarioName, string> = {
  new_account: 'new account, no judge',
  trusted_account: 'trusted account, no judge',
  accepting_judge: 'new account, a judge that accepts everything',
  simulated_judge: 'new account, a simulated judge (3 % false alarms, 5 % misses)',
}

/** What happens to harmless and violating posts, by account and judge. */
export const scenarioTable = (figures: Record<ScenarioName, ScenarioFigures>): string =>
  table(
    ['', 'harmless: review', 'harmless: rejected', 'violating: published'],
    scenarioNames.map((name) => {
      const { harmless_review, harmless_rejected, violating_published } = figures[name]
      return [scenarioWords[name], ...[harmless_review, harmless_rejected, violating_published].map(shareWords)]
    }),
  )

export const groupTable = (groups: readonly GroupFigures[]): string =>
  table(
    ['by', 'group', 'posts', 'harmless: review', 'violating: published'],
    groups.map(({ by, group, posts, harmless_review, violating_published }) => [
      by,
      group,
      String(posts),
      shareWords(harmless_review),
      shareWords(violating_published),
    ]),
  )

export const categoryTable = (categories: Scoreboard['categories']): string =>
  table(
    ['category', 'violating / n', 'average precision', 'precision', 'recall', 'published'],
    categories.map((one) => [
      one.category,
      `${one.violating} / ${one.n}`,
      figureWords({ value: one.average_precision, low: one.low, high: one.high, n: one.n }),
      figure(one.precision),
      figure(one.recall),
      percent(one.published),
    ]),
  )

export const attackTable = (attacks: NonNullable<Scoreboard['attacks']>['wrappers']): string =>
  table(
    [
      'attack',
      'what it is',
      'rejected at submission',
      'detected by rules',
      'detected by local model',
      'published, no judge',
      'published, judge accepts all',
    ],
    attacks.map((one) => [
      one.wrapper,
      wrappers.find(({ name }) => name === one.wrapper)?.what ?? 'the unchanged post',
      percent(one.refused_at_submission),
      percent(one.seen_by_rules),
      percent(one.seen_by_local),
      percent(one.published_without_judge),
      percent(one.published_with_accepting_judge),
    ]),
  )

export function obfuscationTable(figures: readonly ObfuscationFigures[]): string {
  const collections = [...new Set(figures.map(({ collection }) => collection))]
  const kinds = [...new Set(figures.map(({ obfuscation }) => obfuscation))]
  const cell = (kind: string, name: string) => {
    const found = figures.find(({ collection, obfuscation }) => collection === name && obfuscation === kind)
    return found ? `${found.before.toFixed(2)} → **${found.after.toFixed(2)}**` : '–'
  }
  const titles = collections.map((name) => `${name} (${figures.find((one) => one.collection === name)?.n})`)
  return table(
    ['written', ...titles],
    kinds.map((kind) => [kind, ...collections.map((name) => cell(kind, name))]),
  )
}

/** One line per set, one column per figure. */
export function benchmarkTable(benchmarks: Scoreboard['benchmarks']): string {
  const figures = Object.values(figureNames)
  const cell = (name: string, what: string) => {
    const found = benchmarks.find((one) => one.name === name && one.figure === what)
    if (!found) return '–'
    const { value, low, high } = found
    return low === null || high === null ? figure(value) : `${figure(value)} (${figure(low)}–${figure(high)})`
  }
  return table(
    ['set', ...figures],
    [...new Set(benchmarks.map(({ name }) => name))].map((name) => [name, ...figures.map((what) => cell(name, what))]),
  )
}

/** The time per post. */
export const timeWords = ({ posts, ...of }: NonNullable<Scoreboard['timing']>): string =>
  `Time for one post, rules and local model, over ${posts} posts on the machine that wrote this: median ${of.milliseconds_p50.toFixed(0)} ms, 95th percentile ${of.milliseconds_p95.toFixed(0)} ms.`

export const publishedXstestTable = (): string =>
  table(
    ['system', 'F1', 'false alarms', 'source'],
    publishedOnXstest.map((one) => [one.system, figure(one.f1), figure(one.false_positive_rate), one.source]),
  )

export const publishedTable = (): string =>
  table(
    ['system', 'AUPRC', 'F1', 'false alarms', 'source'],
    publishedFigures.map((one) => [
      one.system,
      figure(one.average_precision),
      figure(one.f1),
      figure(one.false_positive_rate),
      one.source,
    ]),
  )

/** The outcomes at several thresholds. */
export const curveTable = (points: readonly CurvePoint[]): string =>
  table(
    ['threshold', 'harmless: review', 'harmless in English: review', 'violating: published', 'shipped for'],
    points.map((point) => [
      point.threshold.toFixed(3),
      percent(point.harmless_review),
      percent(point.harmless_review_english),
      percent(point.violating_published),
      point.shipped_for ?? '',
    ]),
  )
