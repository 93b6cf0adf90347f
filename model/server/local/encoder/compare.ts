import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { KernelModel } from '../scoring/kernel.ts'
import { type Embed, openEmbedder } from './embed.ts'
import { embeddingSize } from './embedding-size.ts'
import { turnTelemetryOff } from './onnx-runtime.ts'
import { OnnxGraph } from './onnx-writer.ts'

/** A part of a text: its vector, and its similarity score to the kernel's training posts. */
export type Encoded = { embedding: Float32Array; nearness: number }
export type Encode = (texts: readonly string[]) => Promise<Encoded[]>
export type Compare = (embeddings: readonly Float32Array[]) => Promise<ArrayLike<number>>

/** Opens the encoder together with the kernel comparison. Each call blocks its thread. */
export async function openEncoder(kernel: KernelModel): Promise<Encode> {
  const [compare, embed] = await Promise.all([openComparison(kernel), openEmbedder()])
  return compareWith(compare, embed)
}

export function compareWith(compare: Compare, embed: Embed): Encode {
  return async (texts) => {
    const embeddings = await embed(texts)
    const nearness = await compare(embeddings)
    return embeddings.map((embedding, index) => ({ embedding, nearness: nearness[index] as number }))
  }
}

/**
 * `nearnessOf` for many vectors in one call, as a small graph in ONNX Runtime: in JavaScript, comparing a vector with
 * thousands of posts takes as long as encoding a sentence.
 */
export async function openComparison({ centres, alphas, gamma }: KernelModel): Promise<Compare> {
  const posts = alphas.length
  const graph = new OnnxGraph()
  const likeness = graph.op('Gemm', ['embeddings', graph.floats([posts, embeddingSize], centres)], { transB: 1 })
  // Vectors have length 1, so their squared distance is 2 − 2 × similarity.
  const exponent = graph.op('Mul', [graph.op('Sub', [likeness, graph.floats([], [1])]), graph.floats([], [2 * gamma])])
  const sums = graph.op('MatMul', [graph.op('Exp', [exponent]), graph.floats([posts, 1], alphas)])
  graph.output('nearness', sums)
  const model = graph.print({
    input: { name: 'embeddings', dims: ['texts', embeddingSize] },
    output: { name: 'nearness', dims: ['texts', 1] },
  })
  turnTelemetryOff()
  const session = await InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 })
  return async (embeddings) => {
    if (embeddings.length === 0) return []
    const rows = new Float32Array(embeddings.length * embeddingSize)
    for (const [index, embedding] of embeddings.entries()) rows.set(embedding, index * embeddingSize)
    const { nearness } = await session.run({
      embeddings: new Tensor('float32', rows, [embeddings.length, embeddingSize]),
    })
    return nearness?.data as Float32Array
  }
}
