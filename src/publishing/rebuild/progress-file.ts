import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How far a rebuild has come, in its tree, so that one that was stopped goes on where it was. */
export type RebuildProgress = {
  startedAt: string
  /** What made the tree: with another program or other addresses its pages would be others. */
  maker: string
  /** What changed later than this is done once more at the end. */
  version: number
  /** Posts up to this one have their files. */
  postsDone: string
  /** Lists up to this one have theirs. */
  shelvesDone: string | null
}

/** Lists without posts are remembered for 60 days: a tree that was begun much earlier could keep their pages. */
const stillGoodMs = 20 * 86_400_000

/** What was done so far, or nothing if there is no tree to go on with: then what is left of one is deleted. */
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

/** From now on the tree is whole, or to be made anew. */
export const deleteProgress = (tree: string) => rm(fileIn(tree), { force: true })

const fileIn = (tree: string) => join(tree, '.rebuild.json')
