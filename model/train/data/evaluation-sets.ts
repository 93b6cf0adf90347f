import { join } from 'node:path'
import { shuffle } from '../../eval/data/choose-posts.ts'
import { type Marked, outsideSets } from '../../eval/data/outside-sets.ts'
import { linesOf, readCsv, readJson, readJsonLines, readText } from '../../eval/data/read-table.ts'
import { readCalmComments } from './sources/benign.ts'
import { type OpenaiRow, readOpenai } from './sources/openai.ts'

type Prompt = { prompt: string; label?: number }

/** The held-out sets except OpenAI's. Their texts are never trained on. */
export const evaluationSets = {
  hatecheck: outsideSets.hatecheck,
  xstest: (directory: string): Marked[] =>
    readCsv(join(directory, 'xstest/xstest_prompts.csv')).map((row) => ({
      text: row.prompt ?? '',
      isPositive: row.label !== 'safe',
    })),
  'sms-half-b': outsideSets['sms-half-b'],
  'deepset-test': (directory: string): Marked[] =>
    readJsonLines<{ text: string; label: number }>(join(directory, 'deepset-prompt-injections/test.jsonl')).map(
      ({ text, label }) => ({ text, isPositive: label === 1 }),
    ),
  'piguard-valid': (directory: string): Marked[] =>
    readJson<Prompt[]>(join(directory, 'piguard/valid.json')).map(({ prompt, label }) => ({
      text: prompt,
      isPositive: label === 1,
    })),
  notinject: (directory: string): Marked[] =>
    ['one', 'two', 'three']
      .flatMap((part) => readJson<Prompt[]>(join(directory, `piguard/NotInject_${part}.json`)))
      .map(({ prompt }) => ({ text: prompt, isPositive: false })),
  'goemotions-benign': (directory: string): Marked[] =>
    shuffle(readCalmComments(directory, 'test'), 4)
      .slice(0, 1_000)
      .map((text) => ({ text, isPositive: false })),
} as const

/** Every text that a figure is measured on, except OpenAI's. */
export const heldOutTexts = (directory: string): string[] =>
  Object.values(evaluationSets).flatMap((read) => read(directory).map(({ text }) => text))

/** A held-out text, and the score of a plain filter. The benchmark has marks for each of its own labels. */
export type MeasuredText = { text: string; keywords: number } & ({ isPositive: boolean } | Pick<OpenaiRow, 'marks'>)

/** Every set that figures are measured on. */
export function measuredSets(directory: string): Record<string, MeasuredText[]> {
  const keywords = keywordScorer(directory)
  const sets = Object.entries(evaluationSets).map(([name, read]) => [name, read(directory)] as const)
  return Object.fromEntries(
    [...sets, ['openai', readOpenai(directory).map(({ text, marks }) => ({ text, marks }))] as const].map(
      ([name, texts]) => [name, texts.map((one) => ({ ...one, keywords: keywords(one.text) }))],
    ),
  )
}

/** The share of a text's words that are in a public list of bad words. */
function keywordScorer(directory: string): (text: string) => number {
  const listed = new Set(linesOf(readText(join(directory, 'ldnoobw/en.txt'))).map((word) => word.trim().toLowerCase()))
  return (text) => {
    const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
    const pairs = words.map((word, index) => `${word} ${words[index + 1] ?? ''}`)
    const hits = [...words, ...pairs].filter((word) => listed.has(word)).length
    return hits / Math.max(1, words.length)
  }
}
