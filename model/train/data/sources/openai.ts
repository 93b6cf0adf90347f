import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { linesOf } from '../../../eval/data/read-table.ts'
import type { LearntCategory } from '../../../server/local/local-model.ts'
import type { Labels } from '../rows.ts'
import type { Source } from './source.ts'

/** The labels of the benchmark except the one about minors, whose rows are excluded. A missing label is unknown. */
export const openaiLabels = ['S', 'H', 'V', 'HR', 'SH', 'H2', 'V2'] as const
export type OpenaiLabel = (typeof openaiLabels)[number]
export type OpenaiRow = { text: string; marks: Partial<Record<OpenaiLabel, 0 | 1>>; labels: Labels }

const from: [LearntCategory, readonly OpenaiLabel[]][] = [
  ['sexual', ['S']],
  ['hate_harassment', ['H', 'H2', 'HR']],
  ['violence_threats', ['V', 'V2', 'H2']],
  ['self_harm', ['SH']],
]

/** The benchmark by Markov et al. 2022, with its own labels and with ours. */
export function readOpenai(directory: string): OpenaiRow[] {
  const packed = readFileSync(join(directory, 'openai-moderation/samples-without-S3.jsonl.gz'))
  return linesOf(gunzipSync(packed).toString('utf8'))
    .map((line) => JSON.parse(line) as { prompt: string; S3?: number } & OpenaiRow['marks'])
    .filter(({ S3 }) => S3 !== 1)
    .map(({ prompt, S3: _, ...marks }) => ({ text: prompt, marks, labels: labelsOf(marks) }))
}

function labelsOf(marks: OpenaiRow['marks']): Labels {
  const labels: Labels = { spam: 0, prompt_injection: 0, malware_phishing: 0, scam_fraud: 0, impersonation: 0 }
  for (const [category, names] of from) {
    if (names.some((name) => marks[name] === 1)) labels[category] = 1
    else if (names.some((name) => marks[name] === 0)) labels[category] = 0
  }
  return labels
}

/** Weighted up: it is the only set of real posts with labels for several categories. */
export const openai: Source = {
  name: 'openai-moderation',
  licence: 'MIT',
  most: 1_680,
  read: (directory) => readOpenai(directory).map(({ text, labels }) => ({ text, labels, weight: 3 })),
}
