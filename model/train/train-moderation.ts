import { join, resolve } from 'node:path'
import { showProgress } from '../../src/bin/progress.ts'
import { keyOf } from '../eval/data/outside-sets.ts'
import { embedTexts, partsOf } from '../eval/embeddings/embed-texts.ts'
import type { CategoryWeights } from '../server/local/scoring/weights.ts'
import { type DataOptions, gatherBenchmarkRows, gatherRows } from './data/gather-rows.ts'
import { type OwnPost, readOwnPosts } from './data/own-rows.ts'
import { foldOfAuthor, folds, type Row } from './data/rows.ts'
import { openai } from './data/sources/openai.ts'
import { sources } from './data/third-party-rows.ts'
import { addParts, buildModel, type Prepared, partOf, prepareRows } from './fitting/build-model.ts'
import { learnKernel } from './fitting/learn-kernel.ts'
import { chooseThresholds } from './release/choose-thresholds.ts'
import { writeLeftOut } from './release/write-left-out.ts'
import { writeWeights } from './release/write-weights.ts'

export type TrainOptions = DataOptions & { out: string; base: 'full' | 'zero-shot' }

const shipped = join(import.meta.dirname, '../weights/local')
/** One training run without each group of authors, and the one that is written. */
const trainings = folds + 1

/** Trains on all data and writes the weights; `zero-shot` excludes OpenAI's benchmark. */
export async function trainModeration(options: TrainOptions): Promise<void> {
  const benchmark = options.base === 'zero-shot' ? [] : gatherBenchmarkRows(options.data)
  const rows = addParts([...gatherRows(options), ...benchmark])
  const bySource = countRows(rows)
  for (const { name, rows: count } of bySource) console.log(`${count.toString().padStart(6)}  ${name}`)
  const posts = readOwnPosts(options.labels)
  const vectors = await embedTexts([
    ...rows.map(({ text }) => partOf(text)),
    ...posts.flatMap(({ text }) => partsOf(text)),
  ])
  const prepared = prepareRows(rows, vectors)
  const progress = showProgress('learning, epoch')
  const learn = (those: readonly Prepared[], turn: number) =>
    buildModel(those, {
      seed: options.seed,
      onStep: (done, total) => progress(turn * total + done, trainings * total),
    })
  const withoutFold = Array.from({ length: folds }, (_, fold) =>
    learn(
      without(
        prepared,
        posts.filter(({ author }) => foldOfAuthor(author) === fold),
      ),
      fold,
    ),
  )
  const categoriesFor = ({ author }: OwnPost) => withoutFold[foldOfAuthor(author)] as CategoryWeights
  const { kernel, overall, unseen } = learnKernel({ posts, vectors, categoriesFor })
  const weights = { ...learn(prepared, trainings - 1), kernel, overall }
  const hashes = writeWeights(options.out, weights, { seed: options.seed, base: options.base, sources: bySource })
  for (const [file, hash] of Object.entries(hashes)) console.log(`${hash}  ${file}`)
  writeLeftOut(options.out, unseen)
  await chooseThresholds(unseen, { directory: options.out, isShipped: resolve(options.out) === shipped })
}

/** Excludes the posts themselves and all their parts. */
function without(prepared: readonly Prepared[], unseen: readonly OwnPost[]): Prepared[] {
  const keys = new Set(unseen.map(({ text }) => keyOf(text)))
  return prepared.filter(({ row }) => !keys.has(row.group ?? keyOf(row.text)))
}

const ownLicence = 'Apache-2.0, written for this project'

function countRows(rows: readonly Row[]): { name: string; licence: string; rows: number }[] {
  const counts = Map.groupBy(rows, ({ source }) => source)
  const licences = new Map([openai, ...sources].map(({ name, licence }) => [name, licence]))
  return [...counts]
    .map(([name, those]) => ({ name, licence: licences.get(name) ?? ownLicence, rows: those.length }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}
