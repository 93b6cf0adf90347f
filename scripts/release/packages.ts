import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { run } from '../../tooling/shell.ts'
import type { Release } from './release.ts'

export type Input = {
  /** A clone at the commit, in which packages are built. */
  source: string
  out: string
}

export const sourceFile = ({ version }: Release) => `broadside-service-${version}.tar.gz`
export const sbomFile = ({ version }: Release) => `broadside-service-${version}.cdx.json`

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

/** The system's Python, because another one that comes first in the PATH does not see the system's packages. */
const python = process.env['PYTHON'] ?? '/usr/bin/python3'

/** flit takes the time of the entries from SOURCE_DATE_EPOCH. */
export async function writePythonPackages({ epoch }: Release, { source, out }: Input): Promise<void> {
  const folder = join(source, 'clients/python')
  copyFileSync(join(source, 'LICENSE'), join(folder, 'LICENSE'))
  const environment = { SOURCE_DATE_EPOCH: String(epoch), PYTHONDONTWRITEBYTECODE: '1' }
  await run(python, ['-m', 'build', '--no-isolation', '--outdir', out, folder], environment)
}

/**
 * The npm packages of the service as CycloneDX, without what differs between two builds: serial number and time.
 * `npm sbom --omit dev` would leave out packages that tools also need, so npm reads a lockfile without the tools.
 */
export async function writeSbom(release: Release, { source, out }: Input): Promise<void> {
  // npm takes the name of the folder for that of the service.
  const folder = join(source, '.sbom/broadside-service')
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) {
    const { devDependencies: _, ...file } = JSON.parse(readFileSync(join(source, name), 'utf8'))
    const packages = Object.entries<{ dev?: boolean }>(file.packages ?? {}).filter(([, { dev }]) => !dev)
    for (const [, locked] of packages) Object.assign(locked, { devDependencies: undefined })
    const production = file.packages ? { ...file, packages: Object.fromEntries(packages) } : file
    writeFileSync(join(folder, name), JSON.stringify(production))
  }
  const format = ['--sbom-format', 'cyclonedx', '--package-lock-only']
  const sbom = JSON.parse(await run('npm', ['sbom', '--prefix', folder, ...format]))
  Object.assign(sbom, { serialNumber: undefined, metadata: { ...sbom.metadata, timestamp: undefined } })
  writeFileSync(join(out, sbomFile(release)), `${JSON.stringify(sbom, null, 2)}\n`)
}
