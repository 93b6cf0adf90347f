import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { embeddingSize } from '../encoder/embedding-size.ts'
import { conceptNames } from '../features/concepts/measure-concepts.ts'
import { lexiconNames } from '../features/lexicon.ts'
import type { NgramModel } from '../features/ngrams.ts'
import { learntCategories } from '../local-model.ts'
import type { Head } from './head.ts'
import { type KernelModel, unpackKernel } from './kernel.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const perCategory = z.array(z.number()).length(learntCategories.length)

const calibration = z.strictObject({ slope: z.number(), offset: z.number() })

/**
 * `manifest.json`: everything except the large tables of numbers. Its hash is the version of the weights.
 */
export const manifestSchema = z.strictObject({
  name: z.string(),
  categories: z.array(z.string()).refine((list) => list.join() === learntCategories.join(), 'other categories'),
  encoder: z.strictObject({ package: z.string(), version: z.string(), size: z.literal(embeddingSize) }),
  lexicon: z.strictObject({ size: z.literal(lexiconNames.length), sha256: z.literal(hashOfLexicon()) }),
  head: z.strictObject({ hidden: z.number().int().positive() }),
  ngrams: z.strictObject({ bits: z.number().int().min(8).max(22), scales: perCategory, biases: perCategory }),
  /** The head's share of the sum; the n-grams get the rest. */
  head_share: perCategory,
  /** The probability is the logistic function of `slope` times the sum plus `offset`. */
  calibration: z.strictObject({ slope: perCategory, offset: perCategory }),
  /** The margin by which a part of a text must exceed the whole to count. */
  part_margin: z.number().nonnegative(),
  /** The parameters of the kernel, which is trained on posts like ours. */
  kernel: z.strictObject({
    posts: z.number().int().positive(),
    gamma: z.number().positive(),
    ngram_bits: z.number().int().min(8).max(22),
    bias: z.number(),
  }),
  /**
   * The probability of any violation if half of all posts violated a rule: the logistic function of `slope` times the
   * score plus `offset`.
   */
  overall: z.strictObject({ english: calibration, other: calibration, margin: z.number() }),
  files: z.strictObject({ 'head.bin': hash, 'ngrams.bin': hash, 'kernel.bin': hash }),
  seed: z.number().int(),
  base: z.string(),
  sources: z.array(z.strictObject({ name: z.string(), licence: z.string(), rows: z.number().int() })),
})

export type Manifest = z.output<typeof manifestSchema>

type CategoryManifest = Pick<Manifest, 'head' | 'ngrams' | 'head_share' | 'calibration' | 'part_margin'>

/** The part of the model that distinguishes categories. */
export type CategoryWeights = {
  head: Head
  ngrams: NgramModel
  headShare: readonly number[]
  calibration: { slope: readonly number[]; offset: readonly number[] }
  partMargin: number
}

type Overall = Manifest['overall']

export type Weights = CategoryWeights & { kernel: KernelModel; overall: Overall }

/** A hash of the names of the features, because weights trained with other features must not be used. */
export function hashOfLexicon(): string {
  return createHash('sha256')
    .update([...lexiconNames, ...conceptNames].join('\n'))
    .digest('hex')
}

/** Reads the weights in a directory, and rejects files that do not match their manifest. */
export async function readWeights(directory: string): Promise<{ name: string; version: string; weights: Weights }> {
  const { manifest, ...identity } = await readManifest(directory)
  const [head, ngrams, kernel] = await Promise.all(
    (['head.bin', 'ngrams.bin', 'kernel.bin'] as const).map((file) => readTable(directory, file, manifest.files[file])),
  )
  if (!head || !ngrams || !kernel) throw new Error('The local model is incomplete.')
  const weights = {
    ...unpackCategories(manifest, { head, ngrams }),
    kernel: unpackKernel(kernel, manifest.kernel),
    overall: manifest.overall,
  }
  return { ...identity, weights }
}

/** What joins the scores of a text's parts, without the large tables. */
export async function readJoining(
  directory: string,
): Promise<{ name: string; version: string; joining: Pick<Weights, 'calibration' | 'partMargin' | 'overall'> }> {
  const { manifest, ...identity } = await readManifest(directory)
  const { calibration, part_margin: partMargin, overall } = manifest
  return { ...identity, joining: { calibration, partMargin, overall } }
}

async function readManifest(directory: string): Promise<{ name: string; version: string; manifest: Manifest }> {
  const text = await readFile(join(directory, 'manifest.json'), 'utf8')
  const manifest = manifestSchema.parse(JSON.parse(text))
  return { name: manifest.name, version: createHash('sha256').update(text).digest('hex').slice(0, 12), manifest }
}

async function readTable(directory: string, file: string, hash: string): Promise<Uint8Array> {
  const bytes = await readFile(join(directory, file))
  if (createHash('sha256').update(bytes).digest('hex') !== hash)
    throw new Error(`${file} does not match the manifest of the local model. Train the model again.`)
  return bytes
}

type CategoryFiles = { head: Uint8Array; ngrams: Uint8Array }

/** The tables in the files: the head as 32-bit numbers, the n-grams as bytes. */
function unpackCategories(
  manifest: CategoryManifest,
  { head: headBytes, ngrams: ngramBytes }: CategoryFiles,
): CategoryWeights {
  const outputs = learntCategories.length
  const inputs = embeddingSize + lexiconNames.length
  const { hidden } = manifest.head
  const numbers = new Float32Array(Uint8Array.from(headBytes).buffer)
  let at = 0
  const take = (count: number) => {
    at += count
    return numbers.slice(at - count, at)
  }
  const head: Head = {
    inputs,
    hidden,
    outputs,
    hiddenWeights: take(hidden * inputs),
    hiddenBiases: take(hidden),
    outputWeights: take(outputs * hidden),
    outputBiases: take(outputs),
  }
  if (at !== numbers.length) throw new Error('The size of head.bin does not match its manifest.')
  const { bits, scales, biases } = manifest.ngrams
  if (ngramBytes.length !== outputs << bits) throw new Error('The size of ngrams.bin does not match its manifest.')
  return {
    head,
    ngrams: {
      bits,
      outputs,
      weights: Int8Array.from(ngramBytes),
      scales: Float32Array.from(scales),
      biases: Float32Array.from(biases),
    },
    headShare: manifest.head_share,
    calibration: manifest.calibration,
    partMargin: manifest.part_margin,
  }
}
