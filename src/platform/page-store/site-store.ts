/**
 * The content of a file that was withdrawn: it must not exist, and a writer that read older rows must not create it
 * later, even if no file has ever been there. See `PageStore.apply`.
 */
export const withdrawn: unique symbol = Symbol('withdrawn')

/** File contents by path; null if the file must not exist. */
export type Files = ReadonlyMap<string, string | Buffer | null | typeof withdrawn>

/** A tree of static files. */
export type PageStore = {
  /**
   * Writes these files and deletes those whose content is null or `withdrawn`. A reader gets the old or the new content
   * of each file, never a part of one. When the promise resolves, a power failure cannot undo the changes. Returns how
   * many files were written.
   *
   * The fence is a number that the writer took before it read the rows that the files are made from. A store that can
   * compare it (S3) throws `StaleWrite` if a file was written with a higher number, and leaves that file as it is.
   */
  apply: (files: Files, fence?: number) => Promise<number>
  /** The content of a file, or undefined if it does not exist. */
  read: (path: string) => Promise<Buffer | undefined>
  /** Whether a file exists. */
  has: (path: string) => Promise<boolean>
  /** How many calls of `apply` can run at the same time and still save time. */
  writesAtOnce: number
}

export type NextTreeOptions = {
  /** Whether files with the same bytes are taken from the live tree, if that is cheaper than writing them. */
  sharesFiles?: boolean
  /** True if the caller makes the whole tree durable later, with `syncNext`. */
  isSyncedLater?: boolean
  /** Whether this writer fills an empty tree. Then null means that there is nothing to do. */
  isFilling?: boolean
}

/** The files of one site: the live tree, which readers see, and the next one, which a rebuild fills. */
export type SiteStore = PageStore & {
  /** Whether the store refuses stale writes, so that late writers need no repair. */
  comparesFences: boolean
  /** The tree that a rebuild fills. Its progress must have been written before. */
  next: (options?: NextTreeOptions) => PageStore
  /** Makes everything durable that was written to the next tree. */
  syncNext: () => Promise<void>
  /** The stored progress of the rebuild that fills the next tree. */
  readProgress: () => Promise<string | undefined>
  writeProgress: (progress: string) => Promise<void>
  /** Deletes the next tree and its progress. */
  deleteNext: () => Promise<void>
  /** Makes the next tree the live one. Its progress stays until `finishSwap`. */
  swap: () => Promise<void>
  /** The progress of the live tree, if its swap is not finished. */
  readUnfinishedSwap: () => Promise<string | undefined>
  finishSwap: () => Promise<void>
  /** Deletes the trees that are neither live nor next. */
  deleteOldTrees: () => Promise<void>
}

/** A file was written by a writer that read newer rows. */
export class StaleWrite extends Error {
  constructor(path: string) {
    super(`a newer version of ${path} was written meanwhile`)
  }
}

/** The program builds paths from checked parts. A path that leads out of the tree is a bug. */
export function checkedPath(path: string): string {
  const parts = path.split('/')
  const isInside = /^(?:\.well-known\/|[\w-])[\w./-]*$/.test(path) && !parts.includes('..') && !parts.includes('')
  if (isInside && path.length <= maxPathLength) return path
  throw new Error('the path leads out of the page store')
}

/** A key of an object store has at most 1,024 bytes, with the site and the tree before the path. */
const maxPathLength = 900
