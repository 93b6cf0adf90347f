import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { repoDir } from '../../../tooling/services/state.ts'
import type { BenchmarkFigure } from './scoreboard.ts'

/** The figures of one set, as `npm run train -- benchmarks` writes them. */
const measuredSet = z.looseObject({
  name: z.string(),
  what: z.string(),
  n: z.number(),
  positives: z.number(),
  average_precision: z.number().optional(),
  interval_95: z.tuple([z.number(), z.number()]).optional(),
  keyword_average_precision: z.number().optional(),
  at_half: z.looseObject({ precision: z.number(), recall: z.number(), f1: z.number() }).optional(),
  false_alarms: z.looseObject({ at_half: z.number(), at_nine_tenths: z.number() }),
})
const benchmarksFile = z.looseObject({ figures: z.array(measuredSet) })

/** The label of each figure, in the order of the table. */
export const figureNames = {
  averagePrecision: 'average precision',
  keywords: 'average precision of a list of bad words',
  f1: 'F1 at 0.5',
  precision: 'precision at 0.5',
  recall: 'recall at 0.5',
  alarms: 'false alarms at 0.5',
  rareAlarms: 'false alarms at 0.9',
} as const

/** The published names of the sets. Other sets use their own name. */
const titles: Record<string, string> = {
  hatecheck: 'HateCheck',
  xstest: 'XSTest',
  'sms-half-b': 'SMS spam, half B (half A trained on)',
  'sms-half-b-without-sms': 'SMS spam, half B (no SMS trained on)',
  'deepset-test': 'deepset prompt injections, test part',
  'piguard-valid': 'PIGuard, validation part',
  notinject: 'NotInject (harmless, with trigger words)',
  'goemotions-benign': 'GoEmotions (harmless comments)',
}

/** The committed figures on public sets; empty before the first measurement. */
export function findBenchmarks(path = join(repoDir, 'model/weights/local/benchmarks.json')): BenchmarkFigure[] {
  if (!existsSync(path)) return []
  return benchmarksFile.parse(JSON.parse(readFileSync(path, 'utf8'))).figures.flatMap(flatten)
}

function flatten(set: z.output<typeof measuredSet>): BenchmarkFigure[] {
  const name = `${titles[set.name] ?? set.what}: ${set.n} texts, ${set.positives} violating`
  const figure = (key: keyof typeof figureNames, value: number | undefined, [low, high] = nobody): BenchmarkFigure[] =>
    value === undefined ? [] : [{ name, figure: figureNames[key], value, low, high }]
  return [
    ...figure('averagePrecision', set.average_precision, set.interval_95),
    ...figure('keywords', set.keyword_average_precision),
    ...figure('f1', set.at_half?.f1),
    ...figure('precision', set.at_half?.precision),
    ...figure('recall', set.at_half?.recall),
    ...figure('alarms', set.false_alarms.at_half),
    ...figure('rareAlarms', set.false_alarms.at_nine_tenths),
  ]
}

const nobody: readonly [number | null, number | null] = [null, null]
