import type { PageStore } from '../platform/page-store.ts'
import type { Files } from './files-of-a-post.ts'

/** Writes what is given and removes what is null; gives how many files were written. */
export async function writeFiles(store: PageStore, files: Files): Promise<number> {
  const written = await Promise.allSettled(
    [...files].map(async ([path, content]) => {
      if (content !== null) return store.write(path, content)
      await store.remove(path)
      return 0
    }),
  )
  // Only when all have ended: whoever holds a lock for this must not let it go while a slow one still writes.
  return written.reduce((sum, result) => {
    if (result.status === 'rejected') throw result.reason
    return sum + result.value
  }, 0)
}
