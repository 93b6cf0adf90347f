import { join } from 'node:path'
import { shuffled } from '../fitting/random.ts'
import { readCsv, readJson, readJsonLines } from './read-table.ts'
import { halfOf } from './rows.ts'
import { readCalmComments } from './sources/benign.ts'
import { textMessages } from './sources/deceit.ts'

/** A text, and whether it breaks the rule that its set is about. */
export type Marked = { text: string; isPositive: boolean }

type Prompt = { prompt: string; label?: number }

/** The held-out sets except OpenAI's. Their texts are never trained on. */
export const evaluationSets = {
  hatecheck: (directory: string): Marked[] =>
    readCsv(join(directory, 'hatecheck/test_suite_cases.csv')).map((row) => ({
      text: row.test_case ?? '',
      isPositive: row.label_gold === 'hateful',
    })),
  xstest: (directory: string): Marked[] =>
    readCsv(join(directory, 'xstest/xstest_prompts.csv')).map((row) => ({
      text: row.prompt ?? '',
      isPositive: row.label !== 'safe',
    })),
  'sms-half-b': (directory: string): Marked[] =>
    textMessages
      .read(directory)
      .filter(({ text }) => halfOf(text) === 'B')
      .map(({ text, labels }) => ({ text, isPositive: labels.spam === 1 })),
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
    shuffled(readCalmComments(directory, 'test'), 4)
      .slice(0, 1_000)
      .map((text) => ({ text, isPositive: false })),
} as const

export type EvaluationSet = keyof typeof evaluationSets

/** Every text that a figure is measured on, except OpenAI's. */
export const heldOutTexts = (directory: string): string[] =>
  Object.values(evaluationSets).flatMap((read) => read(directory).map(({ text }) => text))
