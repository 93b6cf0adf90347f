import { createHash } from 'node:crypto'
import { keyOf } from '../../eval/data/outside-sets.ts'
import { partsOf, type Vectors } from '../../eval/embeddings/embed-texts.ts'
import { measureWords } from '../../server/local/features/lexicon.ts'
import { hashNgrams, type Sparse } from '../../server/local/features/ngrams.ts'
import { cutText, prepareText } from '../../server/local/features/prepare-text.ts'
import { type LearntCategory, learntCategories } from '../../server/local/local-model.ts'
import { joinInputs } from '../../server/local/scoring/head.ts'
import { sumLogits } from '../../server/local/scoring/score.ts'
import type { CategoryWeights } from '../../server/local/scoring/weights.ts'
import type { Labels, Row } from '../data/rows.ts'
import { calibrate } from './calibrate.ts'
import { averageHeads, fitHead } from './fit-head.ts'
import { fitNgrams } from './fit-ngrams.ts'

/** The maximum number of parts per row. More would outweigh the rows of other sources. */
const mostParts = 4

/** Sets with posts as long as ours. The others contain single sentences or requests to an assistant. */
const longSources = ['openai-moderation', 'committed', 'policy', 'labels']

/**
 * Adds parts of the longer posts. The model uses the highest score of a post's parts, so it must learn harmless parts:
 * no part breaks a rule that the post does not break. The violation itself may be in another part, so the broken
 * category stays unknown.
 */
export function addParts(rows: readonly Row[]): Row[] {
  const added = rows
    .filter(({ source }) => longSources.includes(source))
    .flatMap((row) => {
      const labels = Object.fromEntries(Object.entries(row.labels).filter(([, label]) => label === 0)) as Labels
      if (Object.keys(labels).length === 0) return []
      const parts = partsOf(row.text).slice(1)
      const step = Math.max(1, Math.floor(parts.length / mostParts))
      return parts
        .filter((_, index) => index % step === 0)
        .slice(0, mostParts)
        .map((text) => ({ ...row, text, labels, weight: row.weight / mostParts, group: row.group ?? keyOf(row.text) }))
    })
  return [...rows, ...added]
}

/** The sizes of the model and the numbers of epochs, chosen by cross-validation. */
export const shape = { bits: 17, hidden: 64, heads: 2, headEpochs: 8, ngramEpochs: 4, partMargin: 0.5 }

/** The head's share of the sum. Words indicate advertising and instructions better than hate or grief. */
const headShare: Record<LearntCategory, number> = {
  hate_harassment: 0.7,
  sexual: 0.85,
  violence_threats: 0.85,
  self_harm: 0.85,
  illegal_goods: 0.7,
  scam_fraud: 0.5,
  spam: 0.5,
  malware_phishing: 0.5,
  prompt_injection: 0.5,
  impersonation: 0.7,
}

export type Prepared = { row: Row; part: string; embedding: Float32Array; inputs: Float32Array; features: Sparse }

/** The text of a row as the model reads it. */
export const partOf = (text: string): string => cutText(prepareText(text))

/** Everything that training needs from the rows. */
export function prepareRows(rows: readonly Row[], vectors: Vectors): Prepared[] {
  return rows.map((row) => {
    const part = partOf(row.text)
    const embedding = vectors.of(part)
    const lexicon = measureWords(part)
    const inputs = joinInputs(embedding, lexicon)
    return { row, part, embedding, inputs, features: hashNgrams(part, shape.bits, lexicon) }
  })
}

type BuildOptions = { seed: number; onStep?: (done: number, total: number) => void }

/** Trains on nine tenths of the rows and calibrates on the rest. */
export function buildModel(rows: readonly Prepared[], { seed, onStep }: BuildOptions): CategoryWeights {
  const learning = rows.filter(({ row }) => !isHeldOut(row))
  const examples = learning.map(({ row }) => row)
  const total = shape.heads * shape.headEpochs + shape.ngramEpochs
  let done = 0
  const onEpoch = () => onStep?.(++done, total)
  const inputs = learning.map((one) => one.inputs)
  const heads = Array.from({ length: shape.heads }, (_, index) =>
    fitHead(inputs, examples, { hidden: shape.hidden, epochs: shape.headEpochs, seed: seed * 100 + index, onEpoch }),
  )
  const features = learning.map((one) => one.features)
  const weights: CategoryWeights = {
    head: averageHeads(heads),
    ngrams: fitNgrams(features, examples, { bits: shape.bits, epochs: shape.ngramEpochs, seed, onEpoch }),
    headShare: learntCategories.map((category) => headShare[category]),
    calibration: { slope: [], offset: [] },
    partMargin: shape.partMargin,
  }
  return {
    ...weights,
    calibration: calibrateAll(
      weights,
      rows.filter(({ row }) => isHeldOut(row)),
    ),
  }
}

/** A tenth of the rows, determined by the text alone. All posts from a template stay together. */
function isHeldOut({ text, group }: Row): boolean {
  return (
    (createHash('sha256')
      .update(group ?? keyOf(text))
      .digest()[0] ?? 0) < 26
  )
}

function calibrateAll(weights: CategoryWeights, rows: readonly Prepared[]): CategoryWeights['calibration'] {
  const sums = rows.map(({ part, embedding }) => sumLogits(weights, part, embedding))
  const fits = learntCategories.map((category, index) => {
    const known = rows.flatMap(({ row }, at) => (row.labels[category] === undefined ? [] : [at]))
    return calibrate(
      known.map((at) => sums[at]?.[index] ?? 0),
      known.map((at) => rows[at]?.row.labels[category] ?? 0),
    )
  })
  return { slope: fits.map(({ slope }) => slope), offset: fits.map(({ offset }) => offset) }
}
