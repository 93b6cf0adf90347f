import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isRoot, repoDir } from '../../tooling/services/state.ts'
import { isWhole, nightly } from '../../tooling/test-length.ts'
import { releaseOf } from './release.ts'
import { sumsIn, verify } from './verify.ts'

type Sbom = { components: { hashes?: object[]; purl: string }[] }

const { version } = releaseOf(repoDir)
const release = (...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { encoding: 'utf8' })

/** The image needs root and minutes. */
const withImage = isWhole && isRoot

test('two builds in different folders, time zones, locales and umasks have the same bytes', nightly, async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-release-test-'))
  assert.deepEqual(await verify({ out: folder.path, withImage }), [])
  const names = [
    `broadside-${version}-py3-none-any.whl`,
    `broadside-${version}.tar.gz`,
    `broadside-${version}.tgz`,
    `broadside-service-${version}.cdx.json`,
    `broadside-service-${version}.tar.gz`,
    ...(withImage ? [`broadside-image-${version}-${process.arch}.tar`] : []),
  ].sort()
  assert.deepEqual(readdirSync(folder.path).sort(), [...names, 'SHA256SUMS'].sort())
  assert.deepEqual(
    sumsIn(folder.path).map(({ name }) => name),
    names,
  )
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder.path })
  for (const archive of [`broadside-${version}.tgz`, `broadside-${version}.tar.gz`])
    assert.match(
      execFileSync('tar', ['-tzf', join(folder.path, archive)], { encoding: 'utf8' }),
      /^[^/]+\/LICENSE$/m,
      archive,
    )
  const sbom = JSON.parse(readFileSync(join(folder.path, `broadside-service-${version}.cdx.json`), 'utf8')) as Sbom
  assert.deepEqual(sbom.components.flatMap(({ hashes, purl }) => (hashes ? purl : [])).sort(), productionPackages())
  const wheel = join(folder.path, `broadside-${version}-py3-none-any.whl`)
  const inWheel = execFileSync('python3', ['-m', 'zipfile', '--list', wheel], { encoding: 'utf8' })
  assert.match(inWheel, /^broadside-[\d.]+\.dist-info\/(?:licenses\/)?LICENSE\s/m)
})

/** What npm installs in production, from the lockfile. A package that is installed in several folders counts once. */
function productionPackages(): string[] {
  type Locked = { name?: string; version: string; dev?: boolean }
  const lock = JSON.parse(readFileSync(join(repoDir, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const installed = Object.entries(lock.packages).flatMap(([path, { name, version, dev }]) => {
    const folder = path.split('node_modules/').at(-1) ?? ''
    return dev || !path.includes('node_modules/') || version === undefined
      ? []
      : `pkg:npm/${(name ?? folder).replace('@', '%40')}@${version}`
  })
  assert.ok(installed.length > 100)
  return [...new Set(installed)].sort()
}

test('wrong options print usage, and help is no mistake', () => {
  for (const args of [[], ['--wet'], ['publish'], ['change', 'huge', 'Added', 'text'], ['change', 'minor', 'Added']]) {
    const { status, stderr, stdout } = release(...args)
    assert.deepEqual([status, stdout], [2, ''], args.join(' '))
    assert.match(stderr, /Usage: npm run release -- /)
    assert.doesNotMatch(stderr, /\n {4}at /, 'no stack trace')
  }
  const help = release('--help')
  assert.equal(help.status, 0)
  assert.match(help.stdout, /^Usage: /)
})
