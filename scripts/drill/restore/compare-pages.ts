import { readdirSync, readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Files that differ for a reason: docs/runbooks/backup.md lists them. */
export const expectedDifferences = [
  // The day on which it expires is counted from the day of the rebuild.
  /(?:^|\/)\.well-known\/security\.txt\.gz$/,
]

export type Comparison = {
  files: number
  same: number
  excepted: string[]
  different: string[]
  missing: string[]
  extra: string[]
}

/** A disk reads many small files faster than one after the other. */
const filesAtOnce = 16

/** Compares two directories of pages byte by byte. */
export async function comparePages(live: string, restored: string): Promise<Comparison> {
  const [before, after] = [filesIn(live), filesIn(restored)]
  const found: Comparison = { files: before.size, same: 0, excepted: [], different: [], missing: [], extra: [] }
  const waiting = before.values()
  const compare = async () => {
    for (const path of waiting) {
      const isExpected = expectedDifferences.some((pattern) => pattern.test(path))
      if (!after.has(path)) (isExpected ? found.excepted : found.missing).push(path)
      else if (await isSame(join(live, path), join(restored, path))) found.same++
      else (isExpected ? found.excepted : found.different).push(path)
    }
  }
  await Promise.all(Array.from({ length: filesAtOnce }, compare))
  for (const path of after) if (!before.has(path)) found.extra.push(path)
  return found
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [size, otherSize] = await Promise.all([stat(one), stat(other)])
  if (size.size !== otherSize.size) return false
  const [bytes, otherBytes] = await Promise.all([readFile(one), readFile(other)])
  return bytes.equals(otherBytes)
}

function filesIn(root: string): Set<string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  return new Set(
    entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name))),
  )
}

/** How many pages contain each of these words. */
export function countInPages(root: string, words: readonly string[]): Map<string, number> {
  const counts = new Map(words.map((word) => [word, 0]))
  for (const path of filesIn(root)) {
    const bytes = readFileSync(join(root, path))
    const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
    for (const [word, count] of counts) if (text.includes(word)) counts.set(word, count + 1)
  }
  return counts
}
