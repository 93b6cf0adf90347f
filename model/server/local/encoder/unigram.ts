/** A token and its log probability. Its index in the list is its id. */
export type Vocabulary = readonly (readonly [piece: string, score: number])[]

/** Splits a text into the most likely tokens (a SentencePiece unigram model) and returns their ids. */
type SplitText = (text: string) => number[]

/** Special tokens of the encoder, which texts do not contain. */
const reserved = 6
const unknown = 0
/** Represents a space. */
const separator = '▁'

type Node = { children: Map<string, Node>; id: number; score: number }

/** Reads the text once from left to right, without copying. */
export function createUnigramTokenizer(vocabulary: Vocabulary): SplitText {
  const root = plant(vocabulary)
  const lengths = vocabulary.map(([piece]) => piece.length)
  return (text) => {
    const normal = text.normalize('NFKC')
    if (normal === '') return []
    const symbols = [...(separator + normal.replaceAll(' ', separator))]
    return mergeUnknown(backtrack(bestPieces(root, symbols), lengths))
  }
}

function plant(vocabulary: Vocabulary): Node {
  const root: Node = { children: new Map(), id: -1, score: 0 }
  for (const [id, [piece, score]] of vocabulary.entries()) {
    if (id < reserved) continue
    let node = root
    for (const symbol of piece) {
      let child = node.children.get(symbol)
      if (!child) {
        child = { children: new Map(), id: -1, score: 0 }
        node.children.set(symbol, child)
      }
      node = child
    }
    node.id = id
    node.score = score
  }
  return root
}

/** For each position, the token that ends there on the most likely path (Viterbi). */
function bestPieces(root: Node, symbols: readonly string[]): Int32Array {
  const best = new Float64Array(symbols.length + 1)
  const ids = new Int32Array(symbols.length + 1)
  const offer = (end: number, score: number, id: number) => {
    // Zero means "none yet", and among equal paths the last one wins. Both match the original encoder, whose vectors
    // the model was trained on.
    if (best[end] !== 0 && score < (best[end] as number)) return
    best[end] = score
    ids[end] = id
  }
  for (let start = 0; start < symbols.length; start++) {
    const before = best[start] as number
    let isKnown = false
    let node = root.children.get(symbols[start] as string)
    for (let end = start + 1; node; end++) {
      if (node.id >= 0) {
        isKnown = true
        offer(end, before + node.score, node.id)
      }
      node = node.children.get(symbols[end] as string)
    }
    if (!isKnown) offer(start + 1, before, unknown)
  }
  return ids
}

function backtrack(ids: Int32Array, lengths: readonly number[]): number[] {
  const pieces: number[] = []
  for (let end = ids.length - 1; end > 0; ) {
    const id = ids[end] as number
    pieces.push(id)
    end -= lengths[id] as number
  }
  return pieces.reverse()
}

/** Consecutive unknown tokens are merged into one. */
const mergeUnknown = (pieces: readonly number[]): number[] =>
  pieces.filter((id, index) => id !== unknown || pieces[index - 1] !== unknown)
