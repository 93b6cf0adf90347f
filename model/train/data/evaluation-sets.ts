import { join } from 'node:path'
import { type Marked, outsideSets } from '../../eval/data/outside-sets.ts'
import { readCsv, readJson, readJsonLines } from '../../eval/data/read-table.ts'
import { shuffled } from '../fitting/random.ts'
import { readCalmComments } from './sources/benign.ts'

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
    shuffled(readCalmComments(directory, 'test'), 4)
      .slice(0, 1_000)
      .map((text) => ({ text, isPositive: false })),
} as const

export type EvaluationSet = keyof typeof evaluationSets

/** Every text that a figure is measured on, except OpenAI's. */
export const heldOutTexts = (directory: string): string[] =>
  Object.values(evaluationSets).flatMap((read) => read(directory).map(({ text }) => text))
