import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { answerTexts } from '../../src/model-server/local/answer-texts.ts'
import { compareWith, openComparison } from '../../src/model-server/local/compare.ts'
import type { LocalModel } from '../../src/model-server/local/local-model.ts'
import { openLocalModel } from '../../src/model-server/local/open-local-model.ts'
import { cutText, prepareText } from '../../src/model-server/local/prepare-text.ts'
import { scoreParts } from '../../src/model-server/local/score.ts'
import { readWeights } from '../../src/model-server/local/weights.ts'
import { repoDir } from '../services/state.ts'
import { embedTexts } from '../train/embed-texts.ts'
import { partsOf } from '../train/score-texts.ts'
import { noScores } from './observe.ts'

/** A model, and how many texts it is best asked about at once. */
export type EvalModel = LocalModel & { textsAtOnce: number }

const shippedDirectory = join(repoDir, 'models/local')

/** As many as the machine of the checks has cores. */
const threads = 2

/** The model as the model server runs it, asked about everything anew. */
export async function openServedModel(directory = shippedDirectory): Promise<EvalModel> {
  // Enough to keep all threads busy, and the bar moving.
  return Object.assign(await openLocalModel({ threads, directory: resolve(directory) }), { textsAtOnce: 32 })
}

/**
 * The same code and weights over vectors that training and earlier runs have kept: who tries weights or thresholds
 * measures the same texts again and again. A model in ONNX has no such vectors and is asked anew.
 */
export const openModel = (directory = shippedDirectory): Promise<EvalModel> =>
  existsSync(join(directory, 'model.onnx'))
    ? openServedModel(directory)
    : openOverVectors(directory, (texts) => texts.flatMap(partsOf), answerTexts)

/** The same weights, reading a text once as a whole: what they would see without sentences and windows. */
export const openWholeTextModel = (directory?: string): Promise<EvalModel> =>
  openOverVectors(
    directory,
    (texts) => texts.map(wholeOf),
    async (weights, encode, texts) => {
      const encoded = await encode(texts.map(wholeOf))
      return texts.map((text, index) => ({
        ...scoreParts(weights, { parts: [wholeOf(text)], language: 'english' }, encoded.slice(index, index + 1)),
        judged: true,
      }))
    },
  )

const wholeOf = (text: string) => cutText(prepareText(text))

async function openOverVectors(
  directory = shippedDirectory,
  toEmbed: (texts: readonly string[]) => string[],
  answer: typeof answerTexts,
): Promise<EvalModel> {
  const { name, version, weights } = await readWeights(resolve(directory))
  const compare = await openComparison(weights.kernel)
  return {
    name,
    version,
    textsAtOnce: Number.POSITIVE_INFINITY,
    async score(texts) {
      // A text in another language is embedded as a whole only, which is not one of its parts.
      const vectors = await embedTexts([...toEmbed(texts), ...texts.map(wholeOf)])
      const encode = compareWith(compare, async (parts) => parts.map(vectors.of))
      return answer(weights, encode, texts)
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** A model that sees nothing, where the rules are measured alone. */
export const silentModel = (): EvalModel => ({
  name: 'none',
  version: '',
  textsAtOnce: Number.POSITIVE_INFINITY,
  score: async (texts) => texts.map(() => ({ scores: noScores, overall: 0, judged: true })),
  async [Symbol.asyncDispose]() {},
})
