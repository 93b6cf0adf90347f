import { join } from 'node:path'
import { z } from 'zod'
import { canonicalise, canonicalParts } from '../../../src/moderation/pipeline/canonicalise.ts'
import { policy } from '../../../src/policy/policy.ts'
import { readSet } from '../../eval/data/read-set.ts'
import { linesOf, readText } from '../../eval/data/read-table.ts'
import { textOf } from '../../eval/models/open-model.ts'
import { type LearntCategory, learntCategories } from '../../server/local/local-model.ts'
import { clean, type Row } from './rows.ts'

/** The project's own labelled posts. */
const committedDirectory = join(import.meta.dirname, '../../data')

/** Our own posts resemble production, so each counts as much as several third-party texts. */
const weights = { committed: 4, policy: 3 }

/** A post of one of our kinds, with the decision of a careful reviewer. */
export type OwnPost = {
  /** Null for an operator's labels. */
  id: string | null
  /** Posts by the same author are held out together. */
  author: string
  text: string
  category: string | null
  isViolating: boolean
  weight: number
}

/** All human decisions on posts of our kinds: an operator's labels, and the committed posts that are not sealed. */
export function readOwnPosts(labels?: string): OwnPost[] {
  const open = readSet(committedDirectory).posts.filter(({ sealed }) => !sealed)
  return [
    ...(labels ? parseLabels(labels) : []).map(({ text, category, violating, weight }) => ({
      ...{ id: null, author: 'labels', category, text: canonicalise(text), isViolating: violating },
      weight: weight / weights.committed,
    })),
    ...open.map(({ id, author, parts, category, violating }) => ({
      ...{ id, author, category, text: textOf(canonicalParts(parts)), isViolating: violating, weight: 1 },
    })),
  ]
}

/** The rows that categories are learnt from: our own posts, and the examples in the published policy. */
export const ownRows = (posts: readonly OwnPost[]): Row[] => [
  ...posts.flatMap(({ id, text, category, isViolating, weight }) =>
    rowOf(text, category, isViolating, {
      source: id === null ? 'labels' : 'committed',
      weight: weight * weights.committed,
    }),
  ),
  ...readPolicyExamples(),
]

/** The examples in the published policy, without the name of their kind. */
function readPolicyExamples(): Row[] {
  const about = { source: 'policy', weight: weights.policy }
  return policy.categories.flatMap(({ id, examples }) => [
    ...examples.violating.flatMap((text) => rowOf(withoutKind(text), id, true, about)),
    ...examples.non_violating.flatMap((text) => rowOf(withoutKind(text), id, false, about)),
  ])
}

const withoutKind = (text: string): string => canonicalise(text.replace(/^[A-Z][a-z ]{2,20}: /, ''))

/** As `npm run broadside -- labels export` writes them; some fields are only for people. */
const labelRow = z.object({
  text: z.string().min(1),
  category: z.string().nullable(),
  violating: z.boolean(),
  weight: z.number().positive().max(100).default(weights.committed),
})

/** One JSON object per line. */
function parseLabels(file: string): z.output<typeof labelRow>[] {
  return linesOf(readText(file)).map((line, index) => {
    const parsed = labelRow.safeParse(jsonOf(line))
    // The message never contains the text, which may be private.
    if (!parsed.success)
      throw new Error(`Line ${index + 1} of ${file} is not a label: ${parsed.error.issues[0]?.message}`)
    return parsed.data
  })
}

/** Undefined if the line is invalid. The parser's own error message would quote the line. */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** A violating row says nothing about other categories; a harmless row breaks none. */
function rowOf(
  text: string,
  category: string | null,
  violating: boolean,
  about: { source: string; weight: number },
): Row[] {
  if (!violating) return [{ ...about, text, labels: clean }]
  if (!learntCategories.includes(category as LearntCategory)) return []
  return [{ ...about, text, labels: { [category as LearntCategory]: 1 } }]
}
