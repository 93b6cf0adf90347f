import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keptMsOf } from '../../contract/retention/periods.ts'

/** The progress of a rebuild, stored in the new tree, so that an interrupted rebuild can continue. */
export type RebuildProgress = {
  startedAt: string
  /** The versions and origins that the tree was built with. With others, pages would differ. */
  maker: string
  /** The site's version when the rebuild started. Later changes are applied again at the end. */
  version: number
  /** Posts up to this one have their files. */
  postsDone: string
  /** Listings up to this one have their files. */
  shelvesDone: string | null
}

/** Rows of empty listings are deleted later. An older tree could still have the pages of deleted ones. */
const stillGoodMs = keptMsOf('empty-listings') / 3

/** The stored progress. If the tree is not usable, it is deleted, and the result is undefined. */
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

/** The site's version when the rebuild of a tree began; undefined if the tree has no progress file. */
export async function readVersionOf(tree: string): Promise<number | undefined> {
  const text = await readFile(fileIn(tree), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return text === undefined ? undefined : (JSON.parse(text) as RebuildProgress).version
}

/** A live tree without progress is complete. */
export const deleteProgress = (tree: string) => rm(fileIn(tree), { force: true })

const fileIn = (tree: string) => join(tree, '.rebuild.json')
