import { keyOf, type Labels, type Row } from './rows.ts'
import { partsOf } from './score-texts.ts'

/** Parts of one row. More would drown the rows of other sources. */
const mostParts = 4

/** Sets of posts as long as ours. The others are of single sentences, or of requests to a machine. */
const longSources = ['openai-moderation', 'committed', 'policy', 'labels']

/**
 * Adds parts of the longer posts. The model takes the worst part of a post, so it must know harmless parts: what a post
 * does not break, no part of it breaks. What it does break may stand in another part, so that stays unknown.
 */
export function addParts(rows: readonly Row[]): Row[] {
  const added = rows
    .filter(({ source }) => longSources.includes(source))
    .flatMap((row) => {
      const labels = Object.fromEntries(Object.entries(row.labels).filter(([, label]) => label === 0)) as Labels
      if (Object.keys(labels).length === 0) return []
      const parts = partsOf(row.text).slice(1)
      const step = Math.max(1, Math.floor(parts.length / mostParts))
      return parts
        .filter((_, index) => index % step === 0)
        .slice(0, mostParts)
        .map((text) => ({ ...row, text, labels, weight: row.weight / mostParts, group: row.group ?? keyOf(row.text) }))
    })
  return [...rows, ...added]
}
