import { execFileSync } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { run } from '../../tooling/shell.ts'
import { python } from './compare/compare.ts'
import type { Release } from './release.ts'

export type Input = {
  /** A clone at the commit, in which packages are built. */
  source: string
  out: string
}

export const sourceFile = ({ version }: Release) => `broadside-service-${version}.tar.gz`
export const npmFile = ({ version }: Release) => `broadside-${version}.tgz`
export const wheelFile = ({ version }: Release) => `broadside-${version}-py3-none-any.whl`

/** The sources of the service, which docs/install.md installs. */
export function writeSource(release: Release, { source, out }: Input): void {
  const prefix = `--prefix=broadside-service-${release.version}/`
  // Git's own default for the modes depends on the settings of the user.
  const archive = ['-c', 'tar.umask=0022', 'archive', '--format=tar', prefix, release.commit]
  const tar = execFileSync('git', ['-C', source, ...archive], { maxBuffer: 2 ** 30 })
  writeFileSync(join(out, sourceFile(release)), gzipSync(tar, { level: 9 }))
}

/** npm gives all entries one time and one order. */
export async function writeNpmPackage({ source, out }: Input): Promise<void> {
  const folder = join(source, 'clients/typescript')
  copyFileSync(join(source, 'LICENSE'), join(folder, 'LICENSE'))
  await run('npm', ['run', 'build', '--prefix', folder])
  await run('npm', ['pack', folder, '--pack-destination', out])
}

/** flit takes the time of the entries from SOURCE_DATE_EPOCH. */
export async function writePythonPackages({ epoch }: Release, { source, out }: Input): Promise<void> {
  const folder = join(source, 'clients/python')
  copyFileSync(join(source, 'LICENSE'), join(folder, 'LICENSE'))
  const environment = { SOURCE_DATE_EPOCH: String(epoch), PYTHONDONTWRITEBYTECODE: '1' }
  await run(python, ['-m', 'build', '--no-isolation', '--outdir', out, folder], environment)
}
