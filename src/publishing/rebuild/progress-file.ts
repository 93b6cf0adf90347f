import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keptMsOf } from '../../contract/retention/periods.ts'

/** The progress of a rebuild, stored in its tree, so that an interrupted one can continue. */
export type RebuildProgress = {
  startedAt: string
  /** The version that created the tree: another program or other origins would create other pages. */
  maker: string
  /** Later changes are applied once more at the end. */
  version: number
  /** Posts up to this one have their files. */
  postsDone: string
  /** Listings up to this one have their files. */
  shelvesDone: string | null
}

/** Empty listings are remembered three times as long: a tree started much earlier could keep their pages. */
const stillGoodMs = keptMsOf('empty-listings') / 3

/** The progress so far, or nothing if there is no usable tree: then leftovers are deleted. */
export async function readProgress(tree: string, maker: string, at: Date): Promise<RebuildProgress | undefined> {
  const progress = await readFile(fileIn(tree), 'utf8').then(
    (text) => JSON.parse(text) as RebuildProgress,
    () => undefined,
  )
  const isGood = progress?.maker === maker && at.getTime() - Date.parse(progress.startedAt) < stillGoodMs
  if (isGood) return progress
  await rm(tree, { recursive: true, force: true })
  return undefined
}

export async function writeProgress(tree: string, progress: RebuildProgress): Promise<void> {
  await mkdir(tree, { recursive: true })
  await writeFile(`${fileIn(tree)}.new`, JSON.stringify(progress))
  await rename(`${fileIn(tree)}.new`, fileIn(tree))
}

/** From now on the tree is complete, or must be rebuilt from the start. */
export const deleteProgress = (tree: string) => rm(fileIn(tree), { force: true })

const fileIn = (tree: string) => join(tree, '.rebuild.json')
