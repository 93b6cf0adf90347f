import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { syncFolders } from './page-store.ts'

/**
 * A site is a symbolic link to a tree next to it, so that another tree can replace it atomically. Returns the path of
 * the link, which always leads to the live tree.
 */
export async function openSiteTree(directory: string, name: string): Promise<string> {
  const live = join(directory, name)
  await mkdir(join(directory, trees), { recursive: true })
  const found = await lstat(live).catch(() => undefined)
  if (found?.isSymbolicLink()) return live
  // Two processes may start at the same time. The second one skips steps that are already done.
  const unless =
    (...codes: string[]) =>
    (error: NodeJS.ErrnoException) => {
      if (!codes.includes(error.code ?? '')) throw error
    }
  // EISDIR: the other process has already created the link, and a link does not replace a folder.
  if (found) await rename(live, join(directory, trees, `${name}.first`)).catch(unless('ENOENT', 'EISDIR'))
  else await mkdir(join(directory, trees, `${name}.first`), { recursive: true })
  await symlink(join(trees, `${name}.first`), live).catch(unless('EEXIST'))
  return live
}

/** The folder in which a new tree is built until it replaces the live one. */
export const nextTree = (directory: string, name: string) => join(directory, trees, `${name}.next`)

/** Deletes the trees that are neither live nor next. */
export async function deleteOtherTrees(directory: string, name: string): Promise<void> {
  const live = basename(await readlink(join(directory, name)))
  const kept = [live, basename(nextTree(directory, name))]
  for (const tree of await readdir(join(directory, trees)))
    if (tree.startsWith(`${name}.`) && !kept.includes(tree)) await rm(join(directory, trees, tree), { recursive: true })
}

/** Writes all files of a tree to disk with one call for its file system, instead of one for each of millions of files. */
export async function syncTree(tree: string): Promise<void> {
  await promisify(execFile)('sync', ['--file-system', tree])
}

/** Replaces the live tree with the next one. */
export async function swapSiteTree(directory: string, name: string): Promise<void> {
  const live = join(directory, name)
  const tree = join(trees, `${name}.${randomUUID()}`)
  await rename(nextTree(directory, name), join(directory, tree))
  await rm(`${live}.new`, { force: true })
  await symlink(tree, `${live}.new`)
  await rename(`${live}.new`, live)
  await syncFolders([join(directory, trees), directory])
}

/** Next to the sites, where no web server serves files. */
const trees = '.trees'
