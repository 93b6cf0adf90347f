import { join } from 'node:path'
import { z } from 'zod'
import { canonicalise, canonicalParts } from '../../../src/moderation/pipeline/canonicalise.ts'
import { policy } from '../../../src/policy/policy.ts'
import { readSet } from '../../eval/data/read-set.ts'
import { textOf } from '../../eval/models/open-model.ts'
import { type LearntCategory, learntCategories } from '../../server/local/local-model.ts'
import { linesOf, readText } from './read-table.ts'
import { clean, type Row } from './rows.ts'

/** The project's own labelled posts. */
const committedDirectory = join(import.meta.dirname, '../../data')

/** Our own posts are what the model will meet, so each counts for several of other people's. */
const weights = { committed: 4, policy: 3 }

/** A post of our own kind, with what a careful person would decide. */
export type OwnPost = {
  id: string | null
  /** Posts of one author are left out together. */
  author: string
  text: string
  category: string | null
  isViolating: boolean
  isNear: boolean
  weight: number
}

/** Who wrote what an operator has labelled. */
const labelsAuthor = 'labels'

/** All that people have decided on posts of our own kind: what is committed and not sealed, and an operator's labels. */
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

/** The examples of the published policy, without the word that names their kind. */
export function readPolicyExamples(): Row[] {
  const about = { source: 'policy', weight: weights.policy }
  return policy.categories.flatMap(({ id, examples }) => [
    ...examples.violating.flatMap((text) => rowOf(withoutKind(text), id, true, about)),
    ...examples.non_violating.flatMap((text) => rowOf(withoutKind(text), id, false, about)),
  ])
}

const withoutKind = (text: string): string => text.replace(/^[A-Z][a-z ]{2,20}: /, '')

/** As `npm run broadside -- labels export` writes them, of which some members are for people. */
const labelRow = z.object({
  text: z.string().min(1),
  category: z.string().nullable(),
  violating: z.boolean(),
  weight: z.number().positive().max(100).default(weights.committed),
})

/** Labels of an operator: one JSON object a line. */
export const readLabels = (file: string): Row[] =>
  parseLabels(file).flatMap(({ text, category, violating, weight }) =>
    rowOf(text, category, violating, { source: 'labels', weight }),
  )

function parseLabels(file: string): z.output<typeof labelRow>[] {
  return linesOf(readText(file)).map((line, index) => {
    const parsed = labelRow.safeParse(jsonOf(line))
    // The text itself stays out of the message: it may be anybody's.
    if (!parsed.success)
      throw new Error(`Line ${index + 1} of ${file} is not a label: ${parsed.error.issues[0]?.message}`)
    return parsed.data
  })
}

/** Undefined when it is none: the parser's own message would quote the line. */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** As the stages read it. A violating row says nothing of the other categories; one that breaks nothing says it of all. */
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
