/** Token ids, as BERT's uncased models expect them. */
export type Tokenizer = (text: string) => number[]

/** Longer words, such as keys and links, are not split. */
const longestWord = 100

/** Creates a tokenizer from a vocabulary with one token per line. `most` includes the start and end tokens. */
export function createTokenizer(vocabulary: string, most: number): Tokenizer {
  const ids = new Map(vocabulary.split(/\r?\n/).map((piece, index) => [piece, index]))
  const idOf = (piece: string) => {
    const id = ids.get(piece)
    if (id === undefined) throw new Error(`vocab.txt has no ${piece}: it is not the vocabulary of a BERT model.`)
    return id
  }
  const [unknown, start, end] = ['[UNK]', '[CLS]', '[SEP]'].map(idOf) as [number, number, number]
  return (text) => {
    const pieces = splitText(text).flatMap((word) => splitWord(word, ids) ?? [unknown])
    return [start, ...pieces.slice(0, most - 2), end]
  }
}

/** Lower case without accents; every punctuation mark and every Chinese character is a separate word. */
function splitText(text: string): string[] {
  const plain = text
    .replaceAll(/\ufffd|(?![\t\n\r])\p{C}/gu, '')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[\p{P}\p{Script=Han}$+<=>^`|~]/gu, ' $& ')
  return plain.split(/\s+/).filter((word) => word !== '')
}

/** The longest matching tokens from the left; the unknown token if some part is not in the vocabulary. */
function splitWord(word: string, ids: ReadonlyMap<string, number>): number[] | null {
  const letters = [...word]
  if (letters.length > longestWord) return null
  const found: number[] = []
  for (let start = 0; start < letters.length; ) {
    let end = letters.length
    let id: number | undefined
    for (; end > start && id === undefined; end--)
      id = ids.get(`${start > 0 ? '##' : ''}${letters.slice(start, end).join('')}`)
    if (id === undefined) return null
    found.push(id)
    start = end + 1
  }
  return found
}
