import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { turnTelemetryOff } from './onnx-runtime.ts'
import { createUnigramTokenizer, type Vocabulary } from './unigram.ts'

export type Embed = (texts: readonly string[]) => Promise<Float32Array[]>

/** The maximum number of tokens of a text that the encoder reads. */
const mostPieces = 128

/** Texts per call to the encoder. Larger batches gain nothing on a CPU. */
const textsAtOnce = 8

/**
 * Texts in a batch are padded to the longest. A text that would grow by more than a quarter goes into another batch.
 */
const mostFilling = 1.25

const directory = join(import.meta.dirname, '../../../weights/encoder')

/**
 * The sentence encoder (Universal Sentence Encoder lite, English; `model/weights/encoder`). A call blocks its thread,
 * so run it in a separate thread or process; the runtime itself uses no other threads.
 */
export async function openEmbedder(): Promise<Embed> {
  const vocabulary = JSON.parse(await readFile(join(directory, 'vocabulary.json'), 'utf8')) as Vocabulary
  const tokenize = createUnigramTokenizer(vocabulary)
  turnTelemetryOff()
  const session = await InferenceSession.create(join(directory, 'encoder.onnx'), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  })
  return async (texts) => {
    // The encoder has no vector for a text without tokens.
    const rows = texts.map((text, at) => ({ at, pieces: tokenize(text || '.').slice(0, mostPieces) }))
    const vectors: Float32Array[] = new Array(texts.length)
    for (const batch of batchesOf(rows)) {
      const found = await runBatch(
        session,
        batch.map(({ pieces }) => pieces),
      )
      for (const [index, { at }] of batch.entries()) vectors[at] = found[index] as Float32Array
    }
    return vectors
  }
}

type Row = { at: number; pieces: number[] }

function batchesOf(rows: readonly Row[]): Row[][] {
  const batches: Row[][] = []
  for (const row of [...rows].sort((one, other) => one.pieces.length - other.pieces.length)) {
    const last = batches.at(-1)
    const shortest = last?.[0]?.pieces.length ?? 0
    if (last && last.length < textsAtOnce && row.pieces.length <= shortest * mostFilling) last.push(row)
    else batches.push([row])
  }
  return batches
}

async function runBatch(session: InferenceSession, rows: readonly number[][]): Promise<Float32Array[]> {
  const width = Math.max(...rows.map((row) => row.length))
  const ids = new BigInt64Array(rows.length * width).fill(-1n)
  for (const [index, row] of rows.entries())
    for (const [column, id] of row.entries()) ids[index * width + column] = BigInt(id)
  const { vectors } = await session.run({ ids: new Tensor('int64', ids, [rows.length, width]) })
  const all = vectors?.data as Float32Array
  const size = all.length / rows.length
  return rows.map((_, index) => all.slice(index * size, (index + 1) * size))
}
