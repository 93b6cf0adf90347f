import { embedTexts, partsOf } from '../../eval/embeddings/embed-texts.ts'
import type { DataOptions } from '../data/gather-rows.ts'
import type { Row } from '../data/rows.ts'
import { addParts, buildModel, type Prepared, partOf, prepareRows } from '../fitting/build-model.ts'
import { scoreTexts } from '../fitting/score-texts.ts'
import { jobs } from './benchmark-jobs.ts'

/** The messages from this process to its parent. */
export type FromJob = { name: string } & ({ done: number; total: number } | { scores: number[][] })

const [names = '', encoded = '{}'] = process.argv.slice(2)
const options = JSON.parse(encoded) as DataOptions
const own = jobs.filter(({ name }) => names.split(',').includes(name))
const tell = (message: FromJob) => process.send?.(message)

/** Cached, because most rows are the same as in the previous job, and preparing them takes as long as training. */
const prepared = new Map<string, Prepared>()

for (const job of own) {
  const rows = addParts(job.rows(options))
  const texts = job.texts(options.data)
  const vectors = await embedTexts([...rows.map(({ text }) => partOf(text)), ...texts.flatMap(partsOf)])
  for (const one of prepareRows(
    rows.filter((row) => !prepared.has(keyOfRow(row))),
    vectors,
  ))
    prepared.set(keyOfRow(one.row), one)
  const weights = buildModel(
    rows.map((row) => prepared.get(keyOfRow(row)) as Prepared),
    { seed: options.seed, onStep: (done, total) => tell({ name: job.name, done, total }) },
  )
  tell({ name: job.name, scores: scoreTexts(weights, texts, vectors) })
}

function keyOfRow({ source, text, labels }: Row): string {
  return JSON.stringify([source, text, labels])
}
