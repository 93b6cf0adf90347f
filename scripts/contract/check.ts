import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError, UsageError } from '../../src/bin/command.ts'
import { readOptions, text } from '../../tooling/script-options.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { compareContracts } from './compare-contracts.ts'
import type { Change } from './compare-schemas.ts'
import { contractsOf, type Documents, readDocuments } from './read-contracts.ts'

/** Prints what changed since another state, and fails if it breaks callers. */
export function runCheck(args: string[]): void {
  const { base, since } = readOptions(args, { base: text('FOLDER'), since: text('REVISION') })
  if ((base === undefined) === (since === undefined)) throw new UsageError('Pass --base or --since.')
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-contract-'))
  const before = base ?? extract(String(since), folder.path)
  const after = join(repoDir, 'generated')
  const changes = compareDocuments(readDocuments(before), readDocuments(after))
  for (const { text, breaking } of changes) console.log(`${breaking ? 'BREAKING  ' : 'compatible'}  ${text}`)
  const breaking = changes.filter((change) => change.breaking).length
  console.log(`${breaking} breaking and ${changes.length - breaking} compatible changes of the documents.`)
  for (const client of ['typescript', 'python']) printDifference(before, after, `clients/${client}.txt`)
  if (breaking > 0) process.exitCode = 1
}

/** The folder `generated` of a revision. */
function extract(revision: string, folder: string): string {
  try {
    const archive = execFileSync('git', ['-C', repoDir, 'archive', revision, 'generated'], { maxBuffer: 2 ** 28 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
  } catch {
    throw new CommandError(`git has no folder “generated” in ${revision}.`)
  }
  return join(folder, 'generated')
}

/** A person decides what a change of a client's types means. */
function printDifference(before: string, after: string, file: string): void {
  const paths = [join(before, file), join(after, file)]
  const { stdout } = spawnSync('git', ['diff', '--no-index', '--no-color', '--unified=1', ...paths], {
    encoding: 'utf8',
  })
  const lines = stdout.split('\n').slice(4)
  console.log(lines.length === 0 ? `${file} is unchanged.` : `\nRead the changes of ${file}:\n${lines.join('\n')}`)
}

/** The changes of all contracts, breaking ones first. One that not all sites have names them. */
export function compareDocuments(before: Documents, after: Documents): Change[] {
  const [was, is] = [contractsOf(before), contractsOf(after)]
  // The versioning page tells callers to expect new problem codes and new event types.
  const growing = new Set(
    [was['problems'], was['asyncapi']].flatMap((sites) =>
      Object.values(sites ?? {}).flatMap(({ entries }) => Object.keys(entries)),
    ),
  )
  const found = Object.entries(was).flatMap(([kind, parts]) => {
    const places = Map.groupBy(
      Object.entries(parts).flatMap(([part, contract]) =>
        compareContracts(contract, is[kind]?.[part] ?? { document: {}, entries: {} }, growing).map((change) => ({
          ...change,
          part,
        })),
      ),
      ({ text, breaking }) => `${text}${breaking}`,
    )
    return [...places.values()].map((same) => {
      const names = [...new Set(same.map(({ part }) => part))]
      const where = names.length === Object.keys(parts).length ? '' : ` (${names.join(', ')})`
      return { text: `${kind}${where}: ${same[0]?.text}`, breaking: same[0]?.breaking ?? true }
    })
  })
  return found.toSorted((one, other) => Number(other.breaking) - Number(one.breaking))
}
