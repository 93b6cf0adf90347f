import { keptMsOf } from '../../contract/retention/periods.ts'
import type { SiteStore } from '../../platform/page-store/site-store.ts'

/** The progress of a rebuild, stored with the new tree, so that an interrupted rebuild can continue. */
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
export async function readProgress(store: SiteStore, maker: string, at: Date): Promise<RebuildProgress | undefined> {
  const progress = parse(await store.readProgress())
  const isGood = progress?.maker === maker && at.getTime() - Date.parse(progress.startedAt) < stillGoodMs
  if (isGood) return progress
  await store.deleteNext()
  return undefined
}

export const writeProgress = (store: SiteStore, progress: RebuildProgress): Promise<void> =>
  store.writeProgress(JSON.stringify(progress))

/** The site's version when the rebuild of the live tree began; undefined if the tree is complete. */
export async function readUnfinishedVersion(store: SiteStore): Promise<number | undefined> {
  const text = await store.readUnfinishedSwap()
  return text === undefined ? undefined : (JSON.parse(text) as RebuildProgress).version
}

/** A file that is not whole is no progress: a rebuild then starts anew. */
function parse(text: string | undefined): RebuildProgress | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as RebuildProgress)
  } catch {
    return undefined
  }
}
