import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** How far a rebuild has come, beside its tree, so that one that was stopped goes on where it was. */
export type Progress = {
  startedAt: string
  /** What changed later than this is done once more at the end. */
  version: number
  /** Posts up to this one have their files. */
  postsDone: string
  /** Lists up to this one have theirs. */
  shelvesDone: string | null
}

/** Topics without posts are remembered for 30 days: a tree that was begun much earlier could keep their pages. */
const stillGoodMs = 20 * 86_400_000

/** What was done so far, or nothing if there is no tree to go on with. */
export async function readProgress(tree: string, at: Date): Promise<Progress | undefined> {
  const text = await readFile(fileOf(tree), 'utf8').catch(() => undefined)
  const progress = text === undefined ? undefined : (JSON.parse(text) as Progress)
  if (progress && at.getTime() - Date.parse(progress.startedAt) < stillGoodMs) return progress
  await rm(tree, { recursive: true, force: true })
  return undefined
}

export async function writeProgress(tree: string, progress: Progress): Promise<void> {
  await mkdir(dirname(tree), { recursive: true })
  await writeFile(`${fileOf(tree)}.new`, JSON.stringify(progress))
  await rename(`${fileOf(tree)}.new`, fileOf(tree))
}

export const forgetProgress = (tree: string) => rm(fileOf(tree), { force: true })

const fileOf = (tree: string) => `${tree}.json`
