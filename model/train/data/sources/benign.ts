import { clean } from '../rows.ts'
import { json, readLines, type Source } from './source.ts'

/** Comments with these emotions are often rude or about harm. */
const doubtful = ['anger', 'annoyance', 'disgust', 'disapproval', 'desire', 'embarrassment', 'fear', 'grief']

/** Comments from one part of GoEmotions without any sign of a violation. */
export function readCalmComments(directory: string, part: 'train' | 'test'): string[] {
  const names = readLines(directory, 'goemotions/labels.txt').map((name) => name.trim())
  return readLines(directory, `goemotions/${part}.tsv`)
    .map((line) => line.split('\t'))
    .filter(([, emotions = '']) => !emotions.split(',').some((index) => doubtful.includes(names[Number(index)] ?? '')))
    .map(([text = '']) => text)
}

/** Texts that should be published. */
export const benignSources: readonly Source[] = [
  {
    ...{ name: 'goemotions', licence: 'Apache-2.0', most: 3_500 },
    read: (directory) => readCalmComments(directory, 'train').map((text) => ({ text, labels: clean, weight: 0.7 })),
  },
  {
    ...{ name: 'cyberseceval-benign', licence: 'MIT', most: 120 },
    read: json<{ mutated_prompt: string }>('cyberseceval/mitre_frr.json', ({ mutated_prompt: text }) => ({
      ...{ text, labels: clean, weight: 0.5 },
    })),
  },
]
