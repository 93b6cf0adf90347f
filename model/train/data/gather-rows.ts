import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { shuffle } from '../../eval/data/choose-posts.ts'
import { halfOf, keyOf } from '../../eval/data/outside-sets.ts'
import { partsOf } from '../../eval/embeddings/embed-texts.ts'
import { heldOutTexts } from './evaluation-sets.ts'
import { type OwnPost, ownRows } from './own-rows.ts'
import type { Labels, Row } from './rows.ts'
import { benignSources } from './sources/benign.ts'
import { deceitSources, textMessages } from './sources/deceit.ts'
import { hazardSources } from './sources/hazards.ts'
import { offenceSources } from './sources/offence.ts'
import { openai, readOpenai } from './sources/openai.ts'
import type { Source } from './sources/source.ts'

/** All sources except OpenAI's benchmark. A text that occurs in two sources counts for the first one. */
const sources: readonly Source[] = [...hazardSources, ...deceitSources, ...offenceSources, ...benignSources]

export const licences = new Map([openai, ...sources].map(({ name, licence }) => [name, licence]))

/**
 * All rows that categories are learnt from, without duplicates. The project's own rows come first, so that their labels
 * take precedence.
 */
export function gatherRows(posts: readonly OwnPost[], { data, seed }: { data: string; seed: number }): Row[] {
  const rows = [...ownRows(posts), ...readThirdParty(data, seed)].filter(firstOfEach(new Set()))
  return addParts([...rows, ...openai.read(data).map((row) => rowOf(row, openai))])
}

/** A sample from each source, without evaluation texts and duplicates. */
function readThirdParty(directory: string, seed: number): Row[] {
  if (!existsSync(join(directory, 'openai-moderation')))
    throw new Error(`There is no data in ${directory}. Pass the data folder with --data or MODERATION_DATA_DIR.`)
  const isNew = firstOfEach(
    new Set([...heldOutTexts(directory), ...readOpenai(directory).map(({ text }) => text)].map(keyOf)),
  )
  return sources.flatMap((source) => {
    const fresh = shuffle(source.read(directory), seed)
      .filter(({ text }) => source !== textMessages || halfOf(text) === 'A')
      .filter(({ text }) => keyOf(text).length >= 3)
      .filter(isNew)
    return sampleOf(fresh, source.most).map((row) => rowOf(row, source))
  })
}

const rowOf = (row: Omit<Row, 'source' | 'weight'> & { weight?: number }, { name }: Source): Row => ({
  weight: 1,
  ...row,
  source: name,
})

/** True for the first text with a key that is not among the seen ones. */
const firstOfEach =
  (seen: Set<string>) =>
  ({ text }: { text: string }) =>
    seen.size !== seen.add(keyOf(text)).size

/** Violating rows are rarer and more informative, so they are chosen first, up to half of the sample. */
function sampleOf<T extends { labels: Labels }>(rows: readonly T[], most: number): T[] {
  const [breaks = [], others = []] = [true, false].map((wanted) =>
    rows.filter(({ labels }) => Object.values(labels).includes(1) === wanted),
  )
  const taken = breaks.slice(0, Math.max(Math.ceil(most / 2), most - others.length))
  return [...taken, ...others.slice(0, most - taken.length)]
}

/** The maximum number of parts per row. More would outweigh the rows of other sources. */
const mostParts = 4

/** Sets with posts as long as ours. The others contain single sentences or requests to an assistant. */
const longSources = [openai.name, 'committed', 'policy', 'labels']

/**
 * Adds parts of the longer posts. The model uses the highest score of a post's parts, so it must learn harmless parts:
 * no part breaks a rule that the post does not break. The violation itself may be in another part, so the broken
 * category stays unknown.
 */
function addParts(rows: readonly Row[]): Row[] {
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
