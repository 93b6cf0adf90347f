import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { policyCategoryIds } from './category.ts'

const ratio = z.number().min(0).max(1)
/** A share of n posts, with its 95 % interval. */
const share = z.object({ share: ratio, low: ratio, high: ratio, n: z.int() })
const fates = z.object({ published: share, review: share, rejected: share })
const named = z.object({ name: z.string(), version: z.string() })

const figures = z.object({
  shares: z.object({ violating: fates.nullable(), near_miss: fates.nullable(), clean: fates.nullable() }),
  violating_published: share.nullable(),
  benign_rejected: share.nullable(),
  benign_published: share.nullable(),
  average_precision: z.object({ value: ratio, low: ratio, high: ratio, n: z.int() }).nullable(),
})

/** Who posts, and what judge there is. */
export const scenarioTitles = {
  new_account: 'New account, no large model',
  trusted_account: 'Trusted account, no large model',
  accepting_judge: 'New account, a large model that accepts everything',
  simulated_judge: 'New account, a simulated large model with 3 % false alarms and 5 % misses',
} as const

const scenario = z.object({ harmless_review: share.nullable(), violating_published: share.nullable() })
const scenarios = z.record(z.enum(Object.keys(scenarioTitles) as (keyof typeof scenarioTitles)[]), scenario)

const benchmark = z.object({
  /** The set, what of it was trained on, and how many texts it has. */
  name: z.string(),
  figure: z.string(),
  value: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
})

/** The figures of public sets that are published, and what `npm run eval` calls them. */
export const benchmarkFigures = {
  average_precision: 'average precision',
  keyword_average_precision: 'average precision of a list of bad words',
  f1: 'F1 at 0.5',
  false_alarms: 'false alarms at 0.5',
} as const

/** One row for each set. A set without violating texts has false alarms only. */
function bySet(rows: readonly z.output<typeof benchmark>[]) {
  return [...Map.groupBy(rows, ({ name }) => name)].map(([name, own]) => {
    const find = (figure: string) => own.find((one) => one.figure === figure)
    const { average_precision, keyword_average_precision, f1, false_alarms } = benchmarkFigures
    return {
      name,
      average_precision: find(average_precision)?.value ?? null,
      low: find(average_precision)?.low ?? null,
      high: find(average_precision)?.high ?? null,
      keyword_average_precision: find(keyword_average_precision)?.value ?? null,
      f1: find(f1)?.value ?? null,
      false_alarms: find(false_alarms)?.value ?? null,
    }
  })
}

/** Of what `npm run eval` writes, what is published. The rest, such as the part of the set that was looked at, is not. */
const scoreboardFile = z.object({
  policy_version: z.string(),
  model: named,
  thresholds_version: z.string(),
  set: z.object({ posts: z.int(), sealed: z.int(), hash: z.string() }),
  judge: named.nullable(),
  /** Of the posts that nobody looked at while rules, weights and thresholds were made. */
  sealed: z.object({ pipeline_without_judge: figures, pipeline_with_judge: figures.optional() }),
  sealed_scenarios: scenarios,
  /** Of posts whose author the model had not seen. */
  left_out: z.object({ posts: z.int(), authors: z.int(), scenarios }),
  categories: z.array(
    z.object({
      category: z.enum(policyCategoryIds),
      n: z.int(),
      violating: z.int(),
      average_precision: ratio,
      low: ratio,
      high: ratio,
      precision: ratio.nullable(),
      recall: ratio,
    }),
  ),
  attacks: z
    .object({ posts: z.int(), published_without_judge: share, published_with_accepting_judge: share })
    .optional(),
  benchmarks: z.array(benchmark).transform(bySet),
  does_not_cover: z.array(z.string()).min(1),
})

/** How well the stages judge the committed set of posts, as it was last measured. */
export type Scoreboard = z.output<typeof scoreboardFile>
export type StageFigures = z.output<typeof figures>
export type Share = z.output<typeof share>

export const readScoreboard = (text: string): Scoreboard => scoreboardFile.parse(JSON.parse(text))

const path = new URL('../../generated/moderation-scoreboard.json', import.meta.url)

/** The committed figures; null where none have been taken. */
export const scoreboard: Scoreboard | null = existsSync(path) ? readScoreboard(readFileSync(path, 'utf8')) : null
