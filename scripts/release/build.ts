import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, createReadStream, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoDir, stateDir } from '../../tooling/services/state.ts'
import { writeImage } from './image/image.ts'
import { writeNpmPackage, writePythonPackages, writeSbom, writeSource } from './packages.ts'
import { git, type Release, releaseOf } from './release.ts'

export type Order = {
  /** Where the clone is made. Its place must not matter. */
  clone: string
  out: string
  withImage: boolean
}

/** Builds every file of the release from a clone at the current commit, and reports each step. */
export async function build({ clone, out, withImage }: Order, report: (line: string) => void): Promise<Release> {
  const release = releaseOf(repoDir)
  const step = async <Result>(what: string, make: () => Result | Promise<Result>): Promise<Result> => {
    const startedAt = performance.now()
    report(`… ${what}`)
    const result = await make()
    report(`✓ ${what} (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)`)
    return result
  }
  // npm and flit keep the modes of the files that they pack, and those depend on the builder's umask.
  process.umask(0o022)
  for (const folder of [clone, out]) rmSync(folder, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  await step('clone', () => makeClone(clone, release))
  const input = { source: clone, out }
  await step('source archive', () => writeSource(release, input))
  await step('npm package', () => writeNpmPackage(input))
  await step('Python wheel and source distribution', () => writePythonPackages(release, input))
  await step('SBOM', () => writeSbom(release, input))
  if (withImage)
    await step('container image, which takes minutes', () => {
      const source = exportFiles(clone, release)
      return writeImage(release, { source, out, bases: imageBases() })
    })
  writeFileSync(join(out, 'SHA256SUMS'), await checksums(out))
  for (const name of readdirSync(out)) chmodSync(join(out, name), 0o644)
  return release
}

/** Dependencies are those of this folder: they are inputs with fixed hashes. */
function makeClone(clone: string, { commit }: Release): void {
  git(repoDir, 'clone', '--quiet', '--shared', '--no-checkout', repoDir, clone)
  git(clone, 'checkout', '--quiet', '--detach', commit)
  symlinkSync(join(repoDir, 'node_modules'), join(clone, 'node_modules'))
}

/** The committed files alone, with the modes that git records. */
function exportFiles(clone: string, { commit }: Release): string {
  const folder = join(clone, '.image-source')
  mkdirSync(folder)
  execFileSync('sh', [
    '-c',
    'git -C "$1" -c tar.umask=0022 archive "$2" | tar -x --preserve-permissions -C "$3"',
    'sh',
    clone,
    commit,
    folder,
  ])
  return folder
}

/** The Debian and the npm that images start from, kept because they take minutes. */
function imageBases(): string {
  const folder = join(stateDir(), 'release')
  mkdirSync(folder, { recursive: true })
  return folder
}

/** In the format of `sha256sum --check`. */
async function checksums(out: string): Promise<string> {
  const lines = await Promise.all(
    readdirSync(out)
      .sort()
      .map(async (name) => `${await sha256Of(join(out, name))}  ${name}\n`),
  )
  return lines.join('')
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
