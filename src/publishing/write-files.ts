import type { PageStore } from '../platform/page-store.ts'
import type { Files } from './files-of-a-post.ts'

/** Writes what is given and removes what is null, one after the other; gives how many files were written. */
export async function writeFiles(store: PageStore, files: Files): Promise<number> {
  let written = 0
  for (const [path, content] of files)
    if (content === null) await store.remove(path)
    else written += await store.write(path, content)
  return written
}
