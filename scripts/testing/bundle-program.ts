import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repoDir } from '../../tooling/services/state.ts'

const dist = join(repoDir, 'dist')
/** Bundles of sources that have changed since are deleted after this time: a run may still start processes from them. */
const keptMs = 24 * 3_600_000

/**
 * Bundles the program as production does, from the sources of this moment, and returns its file. Tests start more than a
 * hundred processes of it, and each needs half the processor time that the sources would. The folder is named after the
 * content, so the compile cache applies to the next run, and a run in parallel loses nothing.
 */
export async function bundleProgram(): Promise<string> {
  const name = `building-${process.pid}`
  const building = join(dist, name)
  const script = join(repoDir, 'scripts/generation/bundle.ts')
  await promisify(execFile)(process.execPath, [script, '--name', name])
  const hash = createHash('sha256')
  for (const name of readdirSync(building).sort()) hash.update(name).update(readFileSync(join(building, name)))
  const folder = join(dist, `test-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(folder)) rmSync(building, { recursive: true })
  else renameSync(building, folder)
  for (const other of globSync(join(dist, '{test,building}-*')))
    if (other !== folder && statSync(other).mtimeMs < Date.now() - keptMs) rmSync(other, { recursive: true })
  return join(folder, 'main.js')
}
