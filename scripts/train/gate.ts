/**
 * Whether a text breaks any rule at all: a line drawn through posts of our own kind, where the categories were learnt from
 * other people's. It reads the vector of the whole text, the highest of its parts in each place, and the word lists.
 */
export type Gate = { weights: Float32Array; bias: number }

/** How the gate and the worst category make one sum, of which the logistic function is a probability. */
export type Overall = { category: number; gate: number; offset: number }

/** What the gate reads. The first vector is the whole text's. */
export function gateInputs(embeddings: readonly Float32Array[], lexicon: Float32Array): Float32Array {
  const [whole = new Float32Array()] = embeddings
  const inputs = new Float32Array(whole.length * 2 + lexicon.length)
  inputs.set(whole)
  for (let index = 0; index < whole.length; index++) {
    let highest = Number.NEGATIVE_INFINITY
    for (const embedding of embeddings) highest = Math.max(highest, embedding[index] as number)
    inputs[whole.length + index] = highest
  }
  inputs.set(lexicon, whole.length * 2)
  return inputs
}

/** What the gate says, before it is weighed against the categories. */
export function gateLogit({ weights, bias }: Gate, inputs: Float32Array): number {
  let sum = bias
  for (let index = 0; index < weights.length; index++) sum += (weights[index] as number) * (inputs[index] as number)
  return sum
}
