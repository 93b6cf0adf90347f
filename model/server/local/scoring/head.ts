/** A network with one hidden layer over the embedding and the lexicon features. Matrix rows are its outputs. */
export type Head = {
  inputs: number
  hidden: number
  outputs: number
  hiddenWeights: Float32Array
  hiddenBiases: Float32Array
  outputWeights: Float32Array
  outputBiases: Float32Array
}

/** The encoder's vectors have length 1, so they are scaled to the size of the other inputs. */
const embeddingScale = 4
const lexiconScale = 0.5

/** The network's input: the embedding, then the lexicon features. */
export function joinInputs(embedding: Float32Array, lexicon: Float32Array): Float32Array {
  const inputs = new Float32Array(embedding.length + lexicon.length)
  for (let index = 0; index < embedding.length; index++) inputs[index] = (embedding[index] ?? 0) * embeddingScale
  for (let index = 0; index < lexicon.length; index++)
    inputs[embedding.length + index] = (lexicon[index] ?? 0) * lexiconScale
  return inputs
}

/** The network's output for a text: one number per category, before calibration. */
export function headLogits(head: Head, inputs: Float32Array): Float64Array {
  const activations = new Float32Array(head.hidden)
  for (let unit = 0; unit < head.hidden; unit++) {
    const sum = (head.hiddenBiases[unit] ?? 0) + dotRow(head.hiddenWeights, unit, inputs)
    activations[unit] = Math.max(0, sum)
  }
  return Float64Array.from({ length: head.outputs }, (_, output) => {
    let sum = head.outputBiases[output] ?? 0
    const start = output * head.hidden
    for (let unit = 0; unit < head.hidden; unit++)
      sum += (head.outputWeights[start + unit] ?? 0) * (activations[unit] ?? 0)
    return sum
  })
}

/** The dot product of a matrix row and a vector. Four parallel sums let the CPU pipeline the additions. */
export function dotRow(matrix: Float32Array, row: number, vector: Float32Array): number {
  const width = vector.length
  const start = row * width
  const even = width - (width % 4)
  let [first, second, third, fourth] = [0, 0, 0, 0]
  for (let index = 0; index < even; index += 4) {
    first += (matrix[start + index] as number) * (vector[index] as number)
    second += (matrix[start + index + 1] as number) * (vector[index + 1] as number)
    third += (matrix[start + index + 2] as number) * (vector[index + 2] as number)
    fourth += (matrix[start + index + 3] as number) * (vector[index + 3] as number)
  }
  for (let index = even; index < width; index++) first += (matrix[start + index] as number) * (vector[index] as number)
  return first + second + third + fourth
}
