import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { halfOf, keyOf } from '../../eval/data/outside-sets.ts'
import { shuffled } from '../fitting/random.ts'
import { heldOutTexts } from './evaluation-sets.ts'
import type { Row } from './rows.ts'
import { benignSources } from './sources/benign.ts'
import { deceitSources, textMessages } from './sources/deceit.ts'
import { hazardSources } from './sources/hazards.ts'
import { offenceSources } from './sources/offence.ts'
import { readOpenai } from './sources/openai.ts'
import type { Source } from './sources/source.ts'

/** All sources. A text that occurs in two sources counts for the first one. */
export const sources: readonly Source[] = [...hazardSources, ...deceitSources, ...offenceSources, ...benignSources]

/** The training rows except OpenAI's: a sample from each source, without evaluation texts and duplicates. */
export function readThirdParty(directory: string, seed: number): Row[] {
  if (!existsSync(join(directory, 'openai-moderation')))
    throw new Error(`There is no data in ${directory}. Pass the data folder with --data or MODERATION_DATA_DIR.`)
  const seen = new Set([...heldOutTexts(directory), ...readOpenai(directory).map(({ text }) => text)].map(keyOf))
  const rows: Row[] = []
  for (const source of sources) {
    const fresh = shuffled(source.read(directory), seed)
      .filter(({ text }) => source !== textMessages || halfOf(text) === 'A')
      .filter(({ text }) => {
        const key = keyOf(text)
        if (key.length < 3 || seen.has(key)) return false
        seen.add(key)
        return true
      })
    rows.push(...sampleOf(fresh, source.most).map((row) => ({ ...row, source: source.name })))
  }
  return rows
}

/** Violating rows are rarer and more informative, so they are chosen first, up to half of the sample. */
function sampleOf<T extends { labels: Row['labels'] }>(rows: readonly T[], most: number): T[] {
  const breaks = rows.filter(({ labels }) => Object.values(labels).includes(1))
  const others = rows.filter(({ labels }) => !Object.values(labels).includes(1))
  const taken = breaks.slice(0, Math.max(Math.ceil(most / 2), most - others.length))
  return [...taken, ...others.slice(0, most - taken.length)]
}
