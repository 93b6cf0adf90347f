import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { flag, readWords, runScript, text } from '../tooling/script-options.ts'
import { startPostgres } from '../tooling/services/postgres.ts'
import { repoDir, stateDir } from '../tooling/services/state.ts'
import { bundleProgram } from './testing/bundle-program.ts'
import { changedFiles, describeChange, testsOf } from './testing/changed.ts'
import { allTestFiles, featuresOf, isNightly, selectFiles } from './testing/select-files.ts'

await runScript({ command: 'npm test', details }, runTests)

function details(): string {
  const features = [...featuresOf(allTestFiles())].map(([name, files]) => `${name} (${files.length})`)
  return `Runs the tests of every change, or those of features, folders or files.

  --changed   runs the tests that the changes since the branch left main can affect, the closest first
  --whole     runs the nightly tests too, and randomized tests at their whole length
  --test-name-pattern <regexp>   runs only the tests with such a name

Features, with their numbers of files:
${features.join(', ').replaceAll(/(.{1,108}), /g, '  $1,\n')}`
}

async function runTests(args: readonly string[]): Promise<void> {
  const options = { changed: flag, whole: flag, 'test-name-pattern': text('regexp') }
  const { values, words } = readWords(args, options, ['[feature|folder|file]…'])
  const all = allTestFiles()
  const wanted = values.whole ? () => true : (file: string) => !isNightly(file)
  const isAll = words.length === 0 && !values.changed
  const files = isAll ? all.filter(wanted) : []
  // A nightly file runs if it is named alone.
  for (const found of words.map((word) => selectFiles(word, all)))
    files.push(...(found.length === 1 ? found : found.filter(wanted)))
  if (values.changed) {
    const change = testsOf(changedFiles())
    console.log(describeChange(change))
    files.push(...change.tests.filter(wanted))
    if (files.length === 0) return
  }
  const pattern = values['test-name-pattern']
  process.exitCode = await runFiles(
    [...new Set(files)],
    values.whole,
    pattern ? [`--test-name-pattern=${pattern}`] : [],
  )
}

/** Many processes load the same files, so they share a compile cache. */
async function runFiles(files: readonly string[], isWhole: boolean, options: readonly string[]): Promise<number> {
  await startPostgres()
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-tests-'))
  // Only many files start so many processes of the program that a bundle pays.
  const program = files.length > 100 ? await bundleProgram() : undefined
  const paths = groupsOf(files).map((group, index) => {
    const path = join(folder.path, `${String(index).padStart(3, '0')}.mjs`)
    const together = join(import.meta.dirname, 'testing/together.ts')
    writeFileSync(path, `import { runTogether } from '${together}'\nawait runTogether(${JSON.stringify(group)})\n`)
    return path
  })
  // A hanging test is reported five minutes before the run is ended. A slow run on two busy cores must still pass.
  const limitMinutes = isWhole ? 180 : 45
  const child = spawn(
    process.execPath,
    [
      '--test',
      // Two processes more than cores, because each spends a third of its time waiting for PostgreSQL or a browser.
      `--test-concurrency=${availableParallelism() + 2}`,
      `--test-timeout=${(limitMinutes - 5) * 60_000}`,
      ...options,
      ...paths,
    ],
    {
      cwd: repoDir,
      stdio: 'inherit',
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: join(stateDir(), 'compile-cache'),
        ...(program && { BROADSIDE_TEST_PROGRAM: program }),
        ...(isWhole && { TEST_LENGTH: 'whole' }),
      },
      // A test that leaves a server open would otherwise keep the run from ending.
      timeout: limitMinutes * 60_000,
    },
  )
  const [code] = await once(child, 'exit')
  return (code as number | null) ?? 1
}

/**
 * The files of each process. A file whose first line begins with `// Runs alone` gets its own process, and starts first:
 * it takes long, or changes or measures its process.
 */
function groupsOf(files: readonly string[]): string[][] {
  const isAlone = (file: string) => readFileSync(join(repoDir, file), 'utf8').startsWith('// Runs alone')
  const { true: alone = [], false: others = [] } = Object.groupBy(files, (file) => `${isAlone(file)}` as const)
  const size = Math.min(15, Math.ceil(others.length / availableParallelism()))
  const groups = Array.from({ length: Math.ceil(others.length / size) }, (_, index) =>
    others.slice(index * size, (index + 1) * size),
  )
  return [...alone.map((file) => [file]), ...groups]
}
