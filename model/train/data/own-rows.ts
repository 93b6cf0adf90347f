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
  id: string | null
  /** Posts by the same author are held out together. */
  author: string
  text: string
  category: string | null
  isViolating: boolean
  isNear: boolean
  weight: number
}

/** The author name of an operator's labels. */
const labelsAuthor = 'labels'

/** All human decisions on posts of our kinds: the committed posts that are not sealed, and an operator's labels. */
export function readOwnPosts(labels?: string): OwnPost[] {
  return [
    ...openPosts(committedDirectory).map(({ id, author, parts, category, violating, near }) => ({
      ...{ id, author, category, text: textOf(canonicalParts(parts)), isViolating: violating, isNear: near, weight: 1 },
    })),
    ...(labels ? parseLabels(labels) : []).map(({ text, category, violating, weight }) => ({
      ...{ id: null, author: labelsAuthor, category, text: canonicalise(text), isViolating: violating, isNear: false },
      weight: weight / weights.committed,
    })),
  ]
}

/** The committed posts that are not sealed. */
export const readCommitted = (directory = committedDirectory): Row[] =>
  openPosts(directory).flatMap(({ parts, category, violating }) =>
    rowOf(textOf(canonicalParts(parts)), category, violating, { source: 'committed', weight: weights.committed }),
  )

const openPosts = (directory: string) => readSet(directory).posts.filter(({ sealed }) => !sealed)

/** The examples in the published policy, without the name of their kind. */
export function readPolicyExamples(): Row[] {
  const about = { source: 'policy', weight: weights.policy }
  return policy.categories.flatMap(({ id, examples }) => [
    ...examples.violating.flatMap((text) => rowOf(withoutKind(text), id, true, about)),
    ...examples.non_violating.flatMap((text) => rowOf(withoutKind(text), id, false, about)),
  ])
}

const withoutKind = (text: string): string => text.replace(/^[A-Z][a-z ]{2,20}: /, '')

/** As `npm run broadside -- labels export` writes them; some fields are only for people. */
const labelRow = z.object({
  text: z.string().min(1),
  category: z.string().nullable(),
  violating: z.boolean(),
  weight: z.number().positive().max(100).default(weights.committed),
})

/** An operator's labels: one JSON object per line. */
export const readLabels = (file: string): Row[] =>
  parseLabels(file).flatMap(({ text, category, violating, weight }) =>
    rowOf(text, category, violating, { source: 'labels', weight }),
  )

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

/**
 * The row in the form that the stages read. A violating row says nothing about other categories; a harmless row breaks
 * none.
 */
function rowOf(
  text: string,
  category: string | null,
  violating: boolean,
  about: { source: string; weight: number },
): Row[] {
  const read = { ...about, text: canonicalise(text) }
  if (!violating) return [{ ...read, labels: clean }]
  if (!learntCategories.includes(category as LearntCategory)) return []
  return [{ ...read, labels: { [category as LearntCategory]: 1 } }]
}
