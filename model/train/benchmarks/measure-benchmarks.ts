import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyOf } from '../../eval/data/outside-sets.ts'
import { embedTexts, partsOf } from '../../eval/embeddings/embed-texts.ts'
import type { LearntCategory } from '../../server/local/local-model.ts'
import { worstLogit } from '../../server/local/scoring/score.ts'
import { readWeights } from '../../server/local/scoring/weights.ts'
import { type EvaluationSet, evaluationSets } from '../data/evaluation-sets.ts'
import type { DataOptions } from '../data/gather-rows.ts'
import { type OpenaiRow, readOpenai } from '../data/sources/openai.ts'
import { fitGate, type Gate, gateLogit } from '../fitting/fit-gate.ts'
import { inputsOf, weighTogether } from '../fitting/learn-overall.ts'
import { scoreTexts } from '../fitting/score-texts.ts'
import { anyOf, type Figure, figureHead, figureOf, figureRow, openaiFigures, scoreOfSet } from './benchmark-figures.ts'
import { folds, foldsOf } from './benchmark-jobs.ts'
import { crossValidate } from './cross-validate.ts'
import { keywordScorer } from './keyword-score.ts'
import { averagePrecision } from './metrics.ts'

/** The model output that is compared with each set. */
const categoryOfSet: Record<EvaluationSet, LearntCategory | 'any'> = {
  hatecheck: 'hate_harassment',
  xstest: 'any',
  'sms-half-b': 'spam',
  'deepset-test': 'prompt_injection',
  'piguard-valid': 'prompt_injection',
  notinject: 'any',
  'goemotions-benign': 'any',
}

/** Measures everything again and writes benchmarks.json next to the weights. */
export async function measureBenchmarks(options: DataOptions & { out: string }): Promise<void> {
  const held = await measureHeldOut(options)
  const byJob = await crossValidate({ data: options.data, seed: options.seed })
  const openai = readOpenai(options.data)
  const fold = foldsOf(openai.length)
  const queues = Array.from({ length: folds }, (_, number) => [...(byJob.get(`fold-${number}`) ?? [])])
  const crossValidated = openai.map((_, index) => queues[fold[index] ?? 0]?.shift() ?? [])
  const keyword = keywordScorer(options.data)
  const keywords = openai.map(({ text }) => keyword(text))
  const messages = evaluationSets['sms-half-b'](options.data)
  const unseen = (byJob.get('without-sms') ?? []).map((those, index) => ({
    score: scoreOfSet(those, 'spam'),
    isPositive: messages[index]?.isPositive === true,
  }))
  const figures: Figure[] = [
    ...openaiFigures('cv', openai, crossValidated, keywords, await weighByGate(openai, crossValidated)),
    ...openaiFigures('zero-shot', openai, byJob.get('zero-shot') ?? [], keywords),
    ...held,
    figureOf({
      name: 'sms-half-b-without-sms',
      what: 'SMS, half B, no SMS trained on',
      scored: unseen,
      keywords: messages.map(({ text }) => keyword(text)),
    }),
  ]
  writeFileSync(join(options.out, 'benchmarks.json'), `${JSON.stringify({ seed: options.seed, figures }, null, 2)}\n`)
  console.log([...figureHead, ...figures.map(figureRow)].join('\n'))
}

/**
 * Whether any label applies, estimated as the shipped model estimates whether any rule is broken: by a gate trained on
 * the other folds, combined with the highest category.
 */
async function weighByGate(rows: readonly OpenaiRow[], scores: readonly (readonly number[])[]): Promise<number[]> {
  const vectors = await embedTexts(rows.flatMap(({ text }) => partsOf(text)))
  const inputs = rows.map(({ text }) => inputsOf(text, vectors))
  const labels = rows.map(({ marks }) => Number(Object.values(marks).includes(1)))
  const fold = foldsOf(rows.length)
  const gates = Array.from({ length: folds }, (_, number) => {
    // The benchmark contains some posts twice; a copy of a measured post must not be trained on.
    const measured = new Set(rows.filter((_, index) => fold[index] === number).map(({ text }) => keyOf(text)))
    const known = rows.flatMap(({ text }, index) => (measured.has(keyOf(text)) ? [] : [index]))
    return fitGate(
      known.map((index) => inputs[index] as Float32Array),
      known.map((index) => labels[index] as number),
    )
  })
  const said = inputs.map((input, index) => gateLogit(gates[fold[index] ?? 0] as Gate, input))
  const worst = scores.map((those) => worstLogit([anyOf(those)]))
  const ways = [0.2, 0.3, 0.4, 0.5].map((share) => weighTogether(worst, said, share))
  // The weights of both are learnt from the other folds too.
  const best = Array.from({ length: folds }, (_, number) => bestOf(ways, labels, (index) => fold[index] !== number))
  return rows.map((_, index) => best[fold[index] ?? 0]?.[index] ?? 0)
}

function bestOf(ways: readonly number[][], labels: readonly number[], isKnown: (index: number) => boolean): number[] {
  const precisionOf = (way: readonly number[]) =>
    averagePrecision(
      way.flatMap((score, index) => (isKnown(index) ? [{ score, isPositive: labels[index] === 1 }] : [])),
    )
  return ways.reduce((best, way) => (precisionOf(way) > precisionOf(best) ? way : best))
}

/** Measures the shipped weights on sets that were not used for training. */
async function measureHeldOut({ data, out }: DataOptions & { out: string }): Promise<Figure[]> {
  const { weights } = await readWeights(out)
  const keyword = keywordScorer(data)
  const sets = Object.entries(evaluationSets).map(([name, read]) => ({ name: name as EvaluationSet, rows: read(data) }))
  const vectors = await embedTexts(sets.flatMap(({ rows }) => rows.flatMap(({ text }) => partsOf(text))))
  return sets.map(({ name, rows }) => {
    const texts = rows.map(({ text }) => text)
    const category = categoryOfSet[name]
    const scored = scoreTexts(weights, texts, vectors).map((those, index) => ({
      score: scoreOfSet(those, category),
      isPositive: rows[index]?.isPositive === true,
    }))
    return figureOf({ name, what: `held out, by ${category}`, scored, keywords: texts.map(keyword) })
  })
}
