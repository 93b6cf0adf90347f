import { execFile } from 'node:child_process'
import { copyFile, mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { repoDir } from '../services/state.ts'

const run = promisify(execFile)
const tsc = join(repoDir, 'node_modules/.bin/tsc')

/** Builds the TypeScript client into the folder's node_modules, as npm would install it, beside links to these packages. */
export async function installClient(folder: string, packages: readonly string[] = []): Promise<void> {
  const built = join(folder, 'node_modules/broadside')
  await mkdir(built, { recursive: true })
  await run(tsc, ['-p', join(repoDir, 'clients/typescript'), '--outDir', join(built, 'dist')])
  await copyFile(join(repoDir, 'clients/typescript/package.json'), join(built, 'package.json'))
  for (const name of ['@types/node', ...packages]) {
    const link = join(folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(repoDir, 'node_modules', name), link)
  }
}

/** Checks the types of these files as strictly as a careful user would. Throws with the compiler's messages. */
export async function checkTypes(folder: string, files: readonly string[]): Promise<void> {
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--noUnusedLocals']
  const options = ['--noEmit', '--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--skipLibCheck']
  await run(tsc, [...options, ...strict, ...files], { cwd: folder })
}
