import { pairs, type WordList, wordLists } from './word-lists.ts'

/** The names of the numbers that `measureWords` returns, in the same order. */
export const lexiconNames: readonly string[] = [
  ...Object.keys(wordLists).flatMap((list) => [`${list}:any`, `${list}:share`, `${list}:many`]),
  ...pairs.map(([one, other]) => `${one}+${other}`),
  'shape:capitals',
  'shape:exclamation',
  'shape:digits',
  'shape:link',
  'shape:short',
  'shape:long',
  'shape:question',
  'shape:markup',
]

const patterns = Object.entries(wordLists).map(
  ([list, words]) =>
    [list as WordList, new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, 'giu')] as const,
)

/**
 * How many words of each list a text contains, and what form the text has: numbers from 0 to 1, in the order of
 * `lexiconNames`.
 */
export function measureWords(text: string): Float32Array {
  const words = Math.max(5, text.match(/\S+/g)?.length ?? 0)
  const counts = {} as Record<WordList, number>
  const values: number[] = []
  for (const [list, pattern] of patterns) {
    const count = text.match(pattern)?.length ?? 0
    counts[list] = count
    values.push(count > 0 ? 1 : 0, Math.min(1, (count / words) * 8), count >= 3 ? 1 : 0)
  }
  for (const [one, other] of pairs) values.push(counts[one] > 0 && counts[other] > 0 ? 1 : 0)
  values.push(...measureShape(text, words))
  return Float32Array.from(values)
}

function measureShape(text: string, words: number): number[] {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  const capitals = count(/\p{Lu}/gu)
  const letters = Math.max(1, capitals + count(/\p{Ll}/gu))
  return [
    capitals / letters > 0.3 ? 1 : 0,
    Math.min(1, count(/!/g) / 3),
    Math.min(1, (count(/\d/g) / Math.max(1, text.length)) * 4),
    /https?:|www\.|\[URL\]/i.test(text) ? 1 : 0,
    words < 6 ? 1 : 0,
    words > 80 ? 1 : 0,
    /\?\s*$/.test(text) ? 1 : 0,
    /[{}<>;=]{2,}|```/.test(text) ? 1 : 0,
  ]
}
