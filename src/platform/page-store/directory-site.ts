import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPageStore } from './page-store.ts'
import type { SiteStore } from './site-store.ts'
import { deleteOtherTrees, nextTree, openSiteTree, swapSiteTree, syncTree } from './site-tree.ts'

/** A site in a directory that a web server serves. */
export async function openDirectorySite(directory: string, name: string): Promise<SiteStore> {
  const live = await openSiteTree(directory, name)
  const next = nextTree(directory, name)
  return {
    ...openPageStore(live),
    comparesFences: false,
    next: ({ sharesFiles, isSyncedLater = false } = {}) =>
      openPageStore(next, { isSyncedLater, ...(sharesFiles && { like: live }) }),
    syncNext: () => syncTree(next),
    readProgress: () => readIfPresent(progressIn(next)),
    writeProgress: async (progress) => {
      await mkdir(next, { recursive: true })
      await writeFile(`${progressIn(next)}.new`, progress)
      await rename(`${progressIn(next)}.new`, progressIn(next))
    },
    deleteNext: () => rm(next, { recursive: true, force: true }),
    swap: () => swapSiteTree(directory, name),
    readUnfinishedSwap: () => readIfPresent(progressIn(live)),
    finishSwap: () => rm(progressIn(live), { force: true }),
    deleteOldTrees: () => deleteOtherTrees(directory, name),
  }
}

const progressIn = (tree: string) => join(tree, '.rebuild.json')

const readIfPresent = (file: string) =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
