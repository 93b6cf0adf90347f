import { createHash } from 'node:crypto'
import { type LearntCategory, learntCategories } from '../../server/local/local-model.ts'

/** What is known of a text. A category that is left out is unknown, and takes no part in learning. */
export type Labels = Partial<Record<LearntCategory, 0 | 1>>

/** What learning needs of a row. */
export type Example = { labels: Labels; weight: number }

export type Row = { text: string; labels: Labels; source: string; weight: number; group?: string }

/** Nothing of what is learnt is in it. */
export const clean: Labels = Object.fromEntries(learntCategories.map((category) => [category, 0]))

/** What collections of offensive speech do not contain, though nobody labelled it. */
export const noDeceit: Labels = {
  spam: 0,
  scam_fraud: 0,
  malware_phishing: 0,
  prompt_injection: 0,
  illegal_goods: 0,
  impersonation: 0,
}

/** What collections of spam do not contain, though nobody labelled it. */
export const noOffence: Labels = { hate_harassment: 0, violence_threats: 0, self_harm: 0, prompt_injection: 0 }

/** The same for texts that differ in case, punctuation, links or names of users only. */
export const keyOf = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/https?:\S+|@\w+/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 160)

/** One of two halves, by the text alone. */
export const halfOf = (text: string): 'A' | 'B' =>
  (createHash('sha256').update(keyOf(text)).digest()[0] ?? 0) < 128 ? 'A' : 'B'

/** All labels of `base` but those named, which are unknown. */
export function without(base: Labels, ...unknown: readonly LearntCategory[]): Labels {
  return Object.fromEntries(Object.entries(base).filter(([id]) => !unknown.includes(id as LearntCategory)))
}

/** Groups of authors that are left out together where leaving out each would take too long. */
export const folds = 5

export const foldOfAuthor = (author: string): number => Number(createHash('sha256').update(author).digest()[0]) % folds
