import type { PageStore } from '../platform/page-store.ts'
import type { Files } from './files-of-a-post.ts'

/** Writes what is given and removes what is null; gives how many files were written. */
export async function writeFiles(store: PageStore, files: Files): Promise<number> {
  const written = await Promise.all(
    [...files].map(async ([path, content]) => {
      if (content !== null) return store.write(path, content)
      await store.remove(path)
      return 0
    }),
  )
  return written.reduce((sum, count) => sum + count, 0)
}
