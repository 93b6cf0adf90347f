import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** The files that differ between two trees, and the number of files. */
export async function compareTrees(one: string, other: string): Promise<{ files: number; different: string[] }> {
  const [ours, theirs] = [await filesBelow(one), await filesBelow(other)]
  const different = [...new Set([...ours, ...theirs])].filter((path) => !ours.has(path) || !theirs.has(path))
  for (const path of ours)
    if (theirs.has(path) && !(await readFile(join(one, path))).equals(await readFile(join(other, path))))
      different.push(path)
  return { files: ours.size, different: different.sort() }
}

/** Every file below a folder, by its relative path. */
export async function filesBelow(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return new Set(
    entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name))),
  )
}

/** Posts are in folders that no address names; addresses of pages and problems have no extension. */
export function addressesOf(file: string): string[] {
  const path = file.replace(/^p\/..\//, 'p/')
  return [
    path,
    path.replace(/index\.html$/, ''),
    path.replace(/\.html$/, ''),
    path.replace(/(^problems\/.*)\.json$/, '$1'),
  ]
}
