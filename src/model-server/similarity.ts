/** How alike two texts are, from 0 to 1, by the words, pairs of words and pieces of words that they share. */
export class SimilarityIndex {
  readonly size: number
  /** In how many of the examples a feature is, which of them, and how much it weighs there. */
  readonly #postings = new Map<string, { example: number; weight: number }[]>()
  readonly #rarity = new Map<string, number>()
  readonly #rarest: number

  constructor(examples: readonly (readonly string[])[]) {
    this.size = examples.length
    const counts = new Map<string, number>()
    for (const words of examples)
      for (const feature of featuresOf(words).keys()) counts.set(feature, (counts.get(feature) ?? 0) + 1)
    for (const [feature, count] of counts) this.#rarity.set(feature, Math.log((this.size + 1) / count))
    this.#rarest = Math.log(this.size + 1)
    for (const [example, words] of examples.entries())
      for (const [feature, weight] of this.#vectorOf(words))
        this.#postings.getOrInsertComputed(feature, () => []).push({ example, weight })
  }

  /** The likeness to each example, in their order. Costs as much as the text shares with them. */
  compare(words: readonly string[]): Float64Array {
    const likeness = new Float64Array(this.size)
    for (const [feature, weight] of this.#vectorOf(words))
      for (const posting of this.#postings.get(feature) ?? [])
        likeness[posting.example] = (likeness[posting.example] ?? 0) + posting.weight * weight
    return likeness
  }

  /** Of length 1. What no example has weighs as much as the rarest, so that a text about other things is far away. */
  #vectorOf(words: readonly string[]): Map<string, number> {
    const vector = featuresOf(words)
    let squares = 0
    for (const [feature, weight] of vector) {
      const weighted = weight * (this.#rarity.get(feature) ?? this.#rarest)
      vector.set(feature, weighted)
      squares += weighted * weighted
    }
    const length = Math.sqrt(squares) || 1
    for (const [feature, weight] of vector) vector.set(feature, weight / length)
    return vector
  }
}

/** A piece of a word weighs less: there are several in each. */
const weights = { word: 1, pair: 1, piece: 0.4 }
const pieceLength = 4

function featuresOf(words: readonly string[]): Map<string, number> {
  const features = new Map<string, number>()
  for (const [index, word] of words.entries()) {
    features.set(word, weights.word)
    if (index > 0) features.set(`${words[index - 1]} ${word}`, weights.pair)
    if (word.length > pieceLength)
      for (let at = 0; at + pieceLength <= word.length; at++)
        features.set(`~${word.slice(at, at + pieceLength)}`, weights.piece)
  }
  return features
}
