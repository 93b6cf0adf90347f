import { join } from 'node:path'
import { linesOf, readJson, readText } from '../../../eval/data/read-table.ts'
import { clean } from '../rows.ts'
import type { Source } from './source.ts'

/** Comments with these emotions are often rude or about harm. */
const doubtful = ['anger', 'annoyance', 'disgust', 'disapproval', 'desire', 'embarrassment', 'fear', 'grief']

/** Comments from one part of GoEmotions without any sign of a violation. */
export function readCalmComments(directory: string, part: 'train' | 'test'): string[] {
  const names = linesOf(readText(join(directory, 'goemotions/labels.txt'))).map((name) => name.trim())
  return linesOf(readText(join(directory, `goemotions/${part}.tsv`)))
    .map((line) => line.split('\t'))
    .filter(([, emotions = '']) => !emotions.split(',').some((index) => doubtful.includes(names[Number(index)] ?? '')))
    .map(([text = '']) => text)
}

const calmComments: Source = {
  name: 'goemotions',
  licence: 'Apache-2.0',
  attribution: 'Demszky and others 2020, GoEmotions, training part',
  most: 3_500,
  read: (directory) => readCalmComments(directory, 'train').map((text) => ({ text, labels: clean, weight: 0.7 })),
}

const securityQuestions: Source = {
  name: 'cyberseceval-benign',
  licence: 'MIT',
  attribution: 'Meta, PurpleLlama CybersecurityBenchmarks, false refusal prompts',
  most: 120,
  read: (directory) =>
    readJson<{ mutated_prompt: string }[]>(join(directory, 'cyberseceval/mitre_frr.json')).map((row) => ({
      text: row.mutated_prompt,
      labels: clean,
      weight: 0.5,
    })),
}

/** Texts that should be published. */
export const benignSources: readonly Source[] = [calmComments, securityQuestions]
