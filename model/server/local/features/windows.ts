import { mostWindows } from '../../../../src/text-analysis/count-windows.ts'
import { cutText, embeddedCharacters } from './prepare-text.ts'

/** A harmful sentence among harmless ones is detected only in a small part of the text. */
const windowWords = 40
const strideWords = 30

/** Up to this many words, the whole text and its sentences are enough. */
const wholeWords = 60

/** The parts of a text to score, the whole text first, and whether the parts contain all of its words. */
export type Windows = { parts: string[]; isComplete: boolean }

/**
 * The parts of a prepared text: its beginning, its sentences and, if it is longer, runs of 40 words that overlap by 10.
 */
export function splitWindows(text: string): Windows {
  const words = text.split(' ')
  const sentences = splitSentences(text)
  const parts = new Set([cutText(text)])
  if (sentences.length === 1 && words.length <= windowWords) return { parts: [...parts], isComplete: isWhole(text) }
  const runs = words.length > wholeWords ? runsOf(words) : []
  for (const run of runs) parts.add(cutText(run))
  // The runs contain every word; without runs, the sentences do. If one of them is cut, some words are in no part.
  const isComplete = parts.size <= mostWindows && (isWhole(text) || (runs.length > 0 ? runs : sentences).every(isWhole))
  for (const sentence of sentences) {
    if (parts.size >= mostWindows) break
    parts.add(cutText(sentence))
  }
  return { parts: [...parts].slice(0, mostWindows), isComplete }
}

/** Whether a part is embedded completely. */
const isWhole = (part: string): boolean => part.length <= embeddedCharacters

function runsOf(words: readonly string[]): string[] {
  const runs: string[] = []
  for (let start = 0; start < words.length; start += strideWords) {
    runs.push(words.slice(start, start + windowWords).join(' '))
    if (start + windowWords >= words.length) break
  }
  return runs
}

/** Shorter sentences say little by themselves, so they are joined with their neighbours. */
const leastWords = 8

function splitSentences(text: string): string[] {
  const sentences: string[] = []
  for (const piece of text.split(/(?<=[.!?…]["”’)]?)\s+(?=["“(]?[\p{Lu}\p{N}])/u)) {
    const last = sentences.at(-1)
    if (last !== undefined && countWords(last) < leastWords) sentences[sentences.length - 1] = `${last} ${piece}`
    else sentences.push(piece)
  }
  const [before, last] = sentences.slice(-2)
  if (before !== undefined && last !== undefined && countWords(last) < leastWords)
    sentences.splice(-2, 2, `${before} ${last}`)
  return sentences
}

const countWords = (text: string): number => text.split(' ').length
