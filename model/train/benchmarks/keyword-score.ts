import { join } from 'node:path'
import { linesOf, readText } from '../../eval/data/read-table.ts'

/** The share of a text's words that are in a public list of bad words: the score of a plain filter. */
export function keywordScorer(directory: string): (text: string) => number {
  const listed = new Set(linesOf(readText(join(directory, 'ldnoobw/en.txt'))).map((word) => word.trim().toLowerCase()))
  return (text) => {
    const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
    const pairs = words.map((word, index) => `${word} ${words[index + 1] ?? ''}`)
    const hits = [...words, ...pairs].filter((word) => listed.has(word)).length
    return hits / Math.max(1, words.length)
  }
}
