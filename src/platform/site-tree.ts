import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'

/**
 * What a site serves is a symbolic link to a tree beside it, so that another tree can take its place at once. Returns
 * the address of the link, which leads to the live tree whenever it is used.
 */
export async function openSiteTree(directory: string, name: string): Promise<string> {
  const live = join(directory, name)
  await mkdir(join(directory, trees), { recursive: true })
  const found = await lstat(live).catch(() => undefined)
  if (found?.isSymbolicLink()) return live
  if (found) await rename(live, join(directory, trees, `${name}.first`))
  else await mkdir(join(directory, trees, `${name}.first`), { recursive: true })
  // Two processes may begin at once; the second finds the work done.
  await symlink(join(trees, `${name}.first`), live).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return live
}

/** Where a tree is made that shall take the place of the live one. It stays there until it does. */
export const nextTree = (directory: string, name: string) => join(directory, trees, `${name}.next`)

/** Lets the next tree take the place of the live one; gives the folder of that, for the caller to delete. */
export async function swapSiteTree(directory: string, name: string): Promise<string> {
  const live = join(directory, name)
  const old = await readlink(live)
  const tree = join(trees, `${name}.${randomUUID()}`)
  await rename(nextTree(directory, name), join(directory, tree))
  await rm(`${live}.new`, { force: true })
  await symlink(tree, `${live}.new`)
  await rename(`${live}.new`, live)
  return join(directory, trees, basename(old))
}

/** Beside the sites, where no web server looks. */
const trees = '.trees'
