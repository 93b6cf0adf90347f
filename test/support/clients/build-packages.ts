import { execFile } from 'node:child_process'
import { cp, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repoDir } from '../../../tooling/services/state.ts'

const run = promisify(execFile)

/** The client for TypeScript, as it would be published: the path of an archive that npm installs. */
export async function packTypeScriptClient(folder: string): Promise<string> {
  // In a copy, because tests that run at the same time would see a half-built package.
  const copy = join(folder, 'typescript')
  await cp(join(repoDir, 'clients/typescript'), copy, {
    recursive: true,
    filter: (path) => !/\/(dist|test|node_modules)$/.test(path),
  })
  await symlink(join(repoDir, 'node_modules'), join(folder, 'node_modules'))
  const PATH = `${join(repoDir, 'node_modules/.bin')}:${process.env['PATH']}`
  await run('npm', ['run', 'build'], { cwd: copy, env: { ...process.env, PATH } })
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: copy })
  return onlyFile(folder, '.tgz')
}

/** The client for Python, as it would be published: the path of a wheel that pip installs. */
export async function buildPythonClient(folder: string, python: string): Promise<string> {
  const copy = join(folder, 'python')
  await cp(join(repoDir, 'clients/python'), copy, { recursive: true })
  await run(python, ['-m', 'build', '--wheel', '--no-isolation', '--outdir', folder], { cwd: copy })
  return onlyFile(folder, '.whl')
}

async function onlyFile(folder: string, ending: string): Promise<string> {
  const [name = '', ...others] = (await readdir(folder)).filter((each) => each.endsWith(ending))
  if (name === '' || others.length > 0) throw new Error(`There is not exactly one file with ${ending} in ${folder}.`)
  return join(folder, name)
}
