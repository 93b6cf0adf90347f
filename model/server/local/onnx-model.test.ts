import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Runtime, Tensor } from './encoder/onnx-runtime.ts'
import { localModelName } from './local-model.ts'
import { openOnnxModel } from './onnx-model.ts'
import { openLocalModel } from './open-local-model.ts'

const vocabulary = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'kind', 'words', 'cruel', '.'].join('\n')
const cruel = 6

/** Returns [2, -2] for a text with the word, and [-2, 0] without it. */
function runtime(inputNames: string[], seen: Record<string, Tensor>[]): Runtime {
  const run = async (inputs: Record<string, Tensor>) => {
    seen.push(inputs)
    const { data, dims } = inputs.input_ids as Tensor
    const [rows = 0, width = 0] = dims
    const values = Array.from({ length: rows }, (_, row) => Array.from(data).slice(row * width, (row + 1) * width))
    const answers = values.flatMap((ids) => (ids.includes(BigInt(cruel)) ? [2, -2] : [-2, 0]))
    return { logits: { data: answers, dims: [rows, 2] } }
  }
  return {
    InferenceSession: { create: async () => ({ inputNames, outputNames: ['logits'], run }) },
    Tensor: class {
      data: BigInt64Array
      dims: readonly number[]
      constructor(_type: string, data: BigInt64Array, dims: readonly number[]) {
        this.data = data
        this.dims = dims
      }
    } as unknown as Runtime['Tensor'],
  }
}

async function modelDirectory(labels: object) {
  const directory = await mkdtemp(join(tmpdir(), 'onnx-model-'))
  await writeFile(join(directory, 'model.onnx'), 'graph')
  await writeFile(join(directory, 'vocab.txt'), vocabulary)
  await writeFile(join(directory, 'labels.json'), JSON.stringify(labels))
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) }
}

test('outputs become probabilities for the categories in labels.json', async () => {
  await using place = await modelDirectory({ 0: 'hate_harassment', 1: 'spam' })
  await using model = await openOnnxModel(place.directory, runtime(['input_ids', 'attention_mask'], []))
  const [calm, hurt] = await model.score(['kind words', 'cruel words'])
  assert.equal(hurt?.scores.hate_harassment.toFixed(3), '0.881')
  assert.equal(calm?.scores.hate_harassment.toFixed(3), '0.119')
  assert.equal(calm?.scores.spam, 0.5)
  assert.equal(calm?.scores.sexual, 0)
  assert.match(model.version, /^[0-9a-f]{12}$/)
})

test('shorter parts are padded and masked, and models that need token types get them', async () => {
  const seen: Record<string, Tensor>[] = []
  await using place = await modelDirectory({ 0: 'hate_harassment' })
  await using model = await openOnnxModel(
    place.directory,
    runtime(['input_ids', 'attention_mask', 'token_type_ids'], seen),
  )
  await model.score([
    'Kind words kind words kind words kind words. Cruel kind words kind words kind words kind words kind.',
  ])
  const [{ attention_mask, token_type_ids } = {}] = seen
  assert.deepEqual(attention_mask?.dims, [3, 22])
  assert.deepEqual(
    Array.from(attention_mask?.data ?? [])
      .slice(22, 44)
      .map(Number),
    [...Array(11).fill(1), ...Array(11).fill(0)],
  )
  assert.ok(Array.from(token_type_ids?.data ?? [1]).every((value) => value === 0n))
})

test('a label for an output that the model does not have is an error', async () => {
  await using place = await modelDirectory({ 7: 'spam' })
  await using model = await openOnnxModel(place.directory, runtime(['input_ids', 'attention_mask'], []))
  await assert.rejects(model.score(['kind words']), /no output 7/)
})

test('a label that is not a policy category is rejected at startup', async () => {
  await using place = await modelDirectory({ 0: 'rudeness' })
  await assert.rejects(openOnnxModel(place.directory, runtime([], [])))
})

test('a directory with model.onnx is opened like one with weights, under the requested name', async () => {
  await using place = await modelDirectory({ 0: 'hate_harassment' })
  const { directory } = place
  await using model = await openLocalModel({ directory, runtime: runtime(['input_ids', 'attention_mask'], []) })
  const [hurt] = await model.score(['cruel words'])
  assert.deepEqual([model.name, hurt?.scores.hate_harassment.toFixed(3)], [localModelName, '0.881'])
})
