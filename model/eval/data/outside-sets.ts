import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { linesOf, readCsv, readText } from './read-table.ts'

/** A text, and whether it breaks the rule that its set is about. */
export type Marked = { text: string; isPositive: boolean }

/** Held-out sets of others, read from the data directory. Their texts are never trained on. */
export const outsideSets = {
  hatecheck: (directory: string): Marked[] =>
    readCsv(join(directory, 'hatecheck/test_suite_cases.csv')).map((row) => ({
      text: row.test_case ?? '',
      isPositive: row.label_gold === 'hateful',
    })),
  'sms-half-b': (directory: string): Marked[] =>
    readTextMessages(directory)
      .filter(({ text }) => halfOf(text) === 'B')
      .map(({ text, kind }) => ({ text, isPositive: kind !== 'ham' })),
} as const

export type TextMessage = { text: string; kind: 'ham' | 'spam' | 'smishing' }

/** The UCI and Mendeley collections share most of their texts; the second distinguishes fraud from advertising. */
export function readTextMessages(directory: string): TextMessage[] {
  const all = new Map<string, TextMessage>()
  for (const line of linesOf(readText(join(directory, 'sms-uci/sms.tsv')))) {
    const [kind = '', text = ''] = line.split('\t')
    all.set(keyOf(text), { text, kind: kind.trim() === 'ham' ? 'ham' : 'spam' })
  }
  for (const { TEXT: text = '', label = '' } of readCsv(join(directory, 'smishing/Dataset_5971.csv'))) {
    const kind = label.trim().toLowerCase()
    if (kind === 'smishing') all.set(keyOf(text), { text, kind })
    else if (kind !== '' && !all.has(keyOf(text))) all.set(keyOf(text), { text, kind: kind === 'ham' ? 'ham' : 'spam' })
  }
  return [...all.values()]
}

/** A key that is the same for texts that differ only in case, punctuation, links or user names. */
export const keyOf = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/https?:\S+|@\w+/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 160)

/** One of two halves, determined by the text alone. */
export const halfOf = (text: string): 'A' | 'B' =>
  (createHash('sha256').update(keyOf(text)).digest()[0] ?? 0) < 128 ? 'A' : 'B'
