import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type PolicyCategoryId, policyCategoryIds } from '../../../src/policy/policy.ts'
import { loadRuntime, type Runtime, type Session, type Tensor } from './encoder/onnx-runtime.ts'
import { createTokenizer, type Tokenizer } from './encoder/wordpiece.ts'
import { prepareText } from './features/prepare-text.ts'
import { splitWindows } from './features/windows.ts'
import { type LocalAnswer, type LocalModel, type LocalScores, localModelName } from './local-model.ts'
import { logistic } from './scoring/score.ts'

/** The maximum length of BERT models. */
const mostPieces = 512

/** Parts per call, which limits the memory use for a long post. */
const partsAtOnce = 16

/**
 * `labels.json`: maps outputs of the model to categories. Several outputs may map to the same category; unmapped
 * outputs are ignored.
 */
const labelsSchema = z.record(z.string().regex(/^\d+$/), z.enum(policyCategoryIds))

/**
 * An operator's own classifier: `model.onnx`, `vocab.txt` (WordPiece, uncased) and `labels.json` in one directory. Its
 * outputs are independent (sigmoid). The language is not checked, because the model may support any.
 */
export async function openOnnxModel(directory: string, runtime?: Runtime): Promise<LocalModel> {
  const read = (file: string) => readFile(join(directory, file))
  const [model, vocabulary, labels] = await Promise.all(['model.onnx', 'vocab.txt', 'labels.json'].map(read))
  if (!model || !vocabulary || !labels) throw new Error('The model directory is incomplete.')
  const categories = labelsSchema.parse(JSON.parse(labels.toString('utf8')))
  const tokenize = createTokenizer(vocabulary.toString('utf8'), mostPieces)
  const engine = runtime ?? (await loadRuntime())
  const session = await engine.InferenceSession.create(model)
  const ask = (parts: readonly string[]) => askSession(engine, session, tokenize, parts)
  return {
    name: localModelName,
    version: createHash('sha256').update(model).update(vocabulary).update(labels).digest('hex').slice(0, 12),
    score: async (texts) => {
      const answers: LocalAnswer[] = []
      for (const text of texts) answers.push(await answerText(text, categories, ask))
      return answers
    },
    [Symbol.asyncDispose]: async () => session.release?.(),
  }
}

type Ask = (parts: readonly string[]) => Promise<number[][]>

async function answerText(text: string, categories: Record<string, PolicyCategoryId>, ask: Ask): Promise<LocalAnswer> {
  const { parts, isComplete } = splitWindows(prepareText(text))
  const scores = Object.fromEntries(policyCategoryIds.map((category) => [category, 0])) as LocalScores
  for (let start = 0; start < parts.length; start += partsAtOnce)
    for (const outputs of await ask(parts.slice(start, start + partsAtOnce)))
      for (const [index, category] of Object.entries(categories)) {
        const output = outputs[Number(index)]
        if (output === undefined) throw new Error(`The model has no output ${index}, which labels.json names.`)
        scores[category] = Math.max(scores[category], logistic(output))
      }
  const overall = Math.max(...Object.values(scores))
  return isComplete ? { scores, overall, judged: true } : { scores, overall, judged: false, reason: 'length' }
}

async function askSession(engine: Runtime, session: Session, tokenize: Tokenizer, parts: readonly string[]) {
  const rows = parts.map(tokenize)
  const width = Math.max(...rows.map((row) => row.length))
  const table = (valueAt: (row: number[], column: number) => number): Tensor => {
    const values = rows.flatMap((row) => Array.from({ length: width }, (_, column) => BigInt(valueAt(row, column))))
    return new engine.Tensor('int64', BigInt64Array.from(values), [rows.length, width])
  }
  const inputs: Record<string, Tensor> = {
    input_ids: table((row, column) => row[column] ?? 0),
    attention_mask: table((row, column) => (column < row.length ? 1 : 0)),
  }
  if (session.inputNames.includes('token_type_ids')) inputs.token_type_ids = table(() => 0)
  const output = (await session.run(inputs))[session.outputNames[0] ?? '']
  const outputs = output?.dims[1]
  if (output?.dims.length !== 2 || output.dims[0] !== rows.length || outputs === undefined)
    throw new Error('The model must return one row of numbers for each text.')
  return rows.map((_, row) =>
    Array.from({ length: outputs }, (_, column) => Number(output.data[row * outputs + column])),
  )
}
