import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { whatIsWrong } from '../../tooling/script-options.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { build } from './build.ts'
import { type Release, releaseOf, uncommitted } from './release.ts'
import { sumsIn, verify } from './verify.ts'
import { addChangeset } from './version/add-changeset.ts'
import { addSection, bumps, categories, nextVersion, readChangesets, renderSection } from './version/changesets.ts'
import { currentVersion, setVersion } from './version/places.ts'

const usage = `Usage: npm run release -- <what>

  --dry      builds everything that a release publishes into dist/release, and publishes nothing
  --verify   builds it twice, in different folders and environments, and compares the bytes
  status     lists the pending changes and the next version
  change <bump> <category> <text>
             adds a pending change. Bumps: ${bumps.join(', ')}.
             Categories: ${categories.join(', ')}.
  version    moves the pending changes to CHANGELOG.md and writes the next version to every file

Options of --dry and --verify:
  --without-image   leaves out the container image, which needs root, Debian and minutes
  --out <folder>    another folder than dist/release`

const options = {
  help: { type: 'boolean', short: 'h' },
  dry: { type: 'boolean' },
  verify: { type: 'boolean' },
  'without-image': { type: 'boolean' },
  out: { type: 'string' },
  // One build of --verify.
  into: { type: 'string' },
  clone: { type: 'string' },
} as const

/** A mistake in the command line or the work tree: its message is enough. */
class Refusal extends Error {}

try {
  await main(read())
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error)
  process.exitCode = error instanceof Refusal ? 2 : 1
}

function read() {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new Refusal(`${whatIsWrong(error as Error)}\n\n${usage}`)
  }
}

async function main({ values, positionals: [command, ...words] }: ReturnType<typeof read>): Promise<void> {
  const withImage = !values['without-image']
  const out = resolve(values.out ?? join(repoDir, 'dist/release'))
  if (values.help) return console.log(usage)
  if (values.into && values.clone)
    return void (await build({ clone: values.clone, out: values.into, withImage }, console.log))
  if (command === 'status') return status()
  if (command === 'version') return releaseChanges()
  if (command === 'change') return change(words)
  if (command !== undefined || !(values.dry || values.verify)) throw new Refusal(usage)
  refuseUncommitted()
  await (values.verify ? verifyBuilds({ out, withImage }) : dryRun({ out, withImage }))
}

type Order = { out: string; withImage: boolean }

async function dryRun({ out, withImage }: Order): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-release-'))
  try {
    const release = await build({ clone: join(folder, 'clone'), out, withImage }, console.log)
    report(out, release)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function verifyBuilds({ out, withImage }: Order): Promise<void> {
  const differences = await verify({ out, withImage })
  report(out, releaseOf(repoDir))
  if (differences.length === 0) return console.log('\nBoth builds have the same bytes.')
  console.error(`\nThe builds differ. The second is in ${out}-second:\n  ${differences.join('\n  ')}`)
  process.exitCode = 1
}

function report(out: string, { version, commit, date }: Release): void {
  const files = sumsIn(out).map(({ sha256, name }) => ({ name, sha256, bytes: statSync(join(out, name)).size }))
  const width = Math.max(...files.map(({ name }) => name.length))
  console.log(`\nRelease ${version} of commit ${commit}, ${date.toISOString()}, in ${relative(process.cwd(), out)}:\n`)
  console.log(`${'file'.padEnd(width)}  ${'bytes'.padStart(11)}  sha256`)
  for (const { name, bytes, sha256 } of files)
    console.log(`${name.padEnd(width)}  ${bytes.toLocaleString('en').padStart(11)}  ${sha256}`)
  console.log(`\nNothing was published. A release then does this (docs/releasing.md):
  1. git tag --sign v${version} ${commit.slice(0, 12)} && git push origin v${version}
  2. npm publish --provenance --access public broadside-${version}.tgz
  3. publish the wheel and the source distribution to PyPI by trusted publishing
  4. push the image, and attest its digest in the registry
  5. attest every file, and attach all of them with SHA256SUMS to the release v${version}`)
}

/** A release is what a commit has, so nothing else may be in the folder. */
function refuseUncommitted(): void {
  const changes = uncommitted(repoDir)
  if (changes.length === 0) return
  const shown = [...changes.slice(0, 10), ...(changes.length > 10 ? [`… and ${changes.length - 10} more`] : [])]
  throw new Refusal(`A release is built from a commit, but these files differ from it:\n  ${shown.join('\n  ')}`)
}

function status(): void {
  const changes = readChangesets(repoDir)
  for (const { file, bump, notes } of changes)
    console.log(`${bump.padEnd(5)} ${file}: ${Object.keys(notes).join(', ')}`)
  const current = currentVersion(repoDir)
  console.log(changes.length === 0 ? `${current}, no pending change` : `${current} → ${nextVersion(current, changes)}`)
}

function change([bump, category, ...words]: string[]): void {
  const found = [bumps.find((name) => name === bump), categories.find((name) => name === category)] as const
  if (!found[0] || !found[1] || words.length === 0) throw new Refusal(usage)
  console.log(`Added ${addChangeset(repoDir, { bump: found[0], category: found[1], text: words.join(' ') })}`)
}

function releaseChanges(): void {
  const changes = readChangesets(repoDir)
  if (changes.length === 0) throw new Refusal('No change is pending in .changeset/.')
  const version = nextVersion(currentVersion(repoDir), changes)
  const path = join(repoDir, 'CHANGELOG.md')
  const section = renderSection(version, new Date().toISOString().slice(0, 10), changes)
  writeFileSync(path, addSection(readFileSync(path, 'utf8'), section))
  const files = setVersion(repoDir, version)
  for (const { file } of changes) rmSync(join(repoDir, file))
  console.log(`${version}: ${changes.length} changes in CHANGELOG.md, the version in ${files.length} files.`)
  console.log('Now run `npm run generate`, read the section, and commit.')
}
