import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddingSize } from '../../server/local/encoder/embedding-size.ts'
import { lexiconNames } from '../../server/local/features/lexicon.ts'
import { learntCategories } from '../../server/local/local-model.ts'
import { denseSize } from '../../server/local/scoring/score.ts'
import type { Weights } from '../../server/local/scoring/weights.ts'
import { chance } from '../fitting/random.ts'

/** The manifest's fields for them. */
export const about = { seed: 1, base: 'full', sources: [{ name: 'own', licence: 'Apache-2.0', rows: 3 }] }

/** The smallest weights that the files allow, reproducible by seed. */
export function makeWeights(seed = 1): Weights {
  const next = chance(seed)
  const numbers = (count: number) => Float32Array.from({ length: count }, () => next() - 0.5)
  const outputs = learntCategories.length
  const inputs = embeddingSize + lexiconNames.length
  return {
    head: {
      inputs,
      hidden: 3,
      outputs,
      hiddenWeights: numbers(3 * inputs),
      hiddenBiases: numbers(3),
      outputWeights: numbers(3 * outputs),
      outputBiases: numbers(outputs),
    },
    ngrams: {
      bits: 8,
      outputs,
      weights: Int8Array.from({ length: outputs << 8 }, () => Math.floor(next() * 255) - 127),
      scales: numbers(outputs),
      biases: numbers(outputs),
    },
    headShare: learntCategories.map(() => 0.5),
    calibration: { slope: learntCategories.map(() => 1.25), offset: learntCategories.map(() => -0.1) },
    partMargin: 0.5,
    kernel: {
      gamma: 1,
      // As stored in bytes.
      centres: numbers(2 * embeddingSize).map((value) => (Math.round(value * 200) || 0) / 400),
      alphas: numbers(2),
      ngramBits: 8,
      ngramWeights: numbers(1 << 8),
      denseWeights: numbers(denseSize),
      bias: 0.25,
    },
    overall: { english: { slope: 2, offset: -0.1 }, other: { slope: 1, offset: 0 }, margin: 0.3 },
  }
}

/** A directory that is deleted when it leaves scope. */
export function temporary() {
  const path = mkdtempSync(join(tmpdir(), 'weights-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}
