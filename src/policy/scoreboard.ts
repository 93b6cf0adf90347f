import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { policyCategoryIds } from './category.ts'

const ratio = z.number().min(0).max(1)
/** A share of n posts, with its 95 % confidence interval. */
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

/** The type of account, and the available judge. */
const scenarioNames = ['new_account', 'trusted_account', 'accepting_judge', 'simulated_judge'] as const

const scenario = z.object({ harmless_review: share.nullable(), violating_published: share.nullable() })
const scenarios = z.record(z.enum(scenarioNames), scenario)

const benchmark = z.object({
  /** The data set, which part of it was used for training, and its number of texts. */
  name: z.string(),
  figure: z.string(),
  value: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
})

/** The published figures for public data sets, and their names in `npm run eval`. */
export const benchmarkFigures = {
  average_precision: 'average precision',
  keyword_average_precision: 'average precision of a list of bad words',
  f1: 'F1 at 0.5',
  false_alarms: 'false alarms at 0.5',
} as const

/** One row per set. A set without violating texts has only false alarms. */
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

/**
 * The published part of the `npm run eval` output. The rest, such as the examined part of the set, is not published.
 */
const scoreboardFile = z.object({
  policy_version: z.string(),
  model: named,
  thresholds_version: z.string(),
  set: z.object({ posts: z.int(), sealed: z.int(), hash: z.string() }),
  judge: named.nullable(),
  /** For the posts that nobody examined while the rules, weights and thresholds were being developed. */
  sealed: z.object({ pipeline_without_judge: figures, pipeline_with_judge: figures.optional() }),
  sealed_scenarios: scenarios,
  /** For posts by authors that the model had not seen. */
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

/** The latest measurement of how well the stages judge the committed evaluation set. */
export type Scoreboard = z.output<typeof scoreboardFile>
export type StageFigures = z.output<typeof figures>
export type Share = z.output<typeof share>

export const readScoreboard = (text: string): Scoreboard => scoreboardFile.parse(JSON.parse(text))

const path = new URL('../../generated/moderation-scoreboard.json', import.meta.url)

/** The committed figures; null if there are none. */
export const scoreboard: Scoreboard | null = existsSync(path) ? readScoreboard(readFileSync(path, 'utf8')) : null
