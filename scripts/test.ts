import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposableSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../src/bin/command.ts'
import { runScript } from '../tooling/script-options.ts'
import { startPostgres } from '../tooling/services/postgres.ts'
import { repoDir, stateDir } from '../tooling/services/state.ts'
import { bundleProgram } from './testing/bundle-program.ts'
import { aloneFiles, isLong } from './testing/long-files.ts'
import { allTestFiles, featuresOf, selectFiles } from './testing/select-files.ts'
import { groupsOfAll, groupsOfFeature, writeGroups } from './testing/write-groups.ts'

const own = ['--whole', '--slowest', '--long'] as const
type Own = (typeof own)[number]

await runScript({ command: 'npm test', usage: '[<feature, folder or file> …] [options]', details }, runTests)

function details(): string {
  const features = [...featuresOf(allTestFiles())].map(([name, files]) => `${name} (${files.length})`)
  return [
    'Runs all tests, or those of a feature, a folder or a file, against this checkout’s own PostgreSQL.',
    '',
    '  --whole     randomized tests run three to four times as many cases, and pages are tested on every site',
    '  --long      with a feature: also its files that take long, which are left out otherwise',
    '  --slowest   prints the 20 slowest tests and files at the end, as a run of all tests does',
    '  --test-…    an option of `node --test`, such as --test-name-pattern',
    '',
    'Features, with their numbers of files:',
    ...inLines(features.join(', ')),
  ].join('\n')
}

function inLines(text: string): string[] {
  return text.match(/.{1,108}(?:, |$)/g)?.map((line) => `  ${line.trim()}`) ?? []
}

async function runTests(args: readonly string[]): Promise<void> {
  const { flags, words, forNode } = sort(args)
  const isWhole = flags.has('--whole')
  const selections = words.map((word) => selectFiles(word))
  const files = [...new Set(selections.flatMap((selection) => selection.files))]
  const isFeature = selections.some((selection) => selection.isFeature)
  const chosen = isFeature && !flags.has('--long') ? withoutLong(files) : files
  await startPostgres()
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-test-groups-'))
  const isAll = words.length === 0
  // Only tests in processes of their own start so many processes of the program that a bundle pays.
  const program = isAll || chosen.some((file) => file in aloneFiles) ? await bundleProgram() : undefined
  const run = (paths: readonly string[], slowest: boolean) =>
    runNode([...forNode, ...paths], { isWhole, slowest, program })
  if (isAll) process.exitCode = await run(writeGroups(groupsOfAll(allTestFiles()), folder.path), true)
  else if (isFeature)
    process.exitCode = await run(writeGroups(groupsOfFeature(chosen), folder.path), flags.has('--slowest'))
  else process.exitCode = await run(chosen, flags.has('--slowest'))
}

function sort(args: readonly string[]) {
  const flags = new Set<Own>()
  const [words, forNode]: [string[], string[]] = [[], []]
  for (let index = 0; index < args.length; index++) {
    const word = String(args[index])
    if (own.includes(word as Own)) flags.add(word as Own)
    else if (/^--test-[a-z-]+$/.test(word) && !/^--test-(?:only|force-exit|update-snapshots)$/.test(word)) {
      const value = args[++index]
      if (value === undefined) throw new UsageError(`${word} needs a value.`)
      forNode.push(`${word}=${value}`)
    } else if (/^--(?:test-|watch$|inspect|experimental-test)/.test(word)) forNode.push(word)
    else if (word.startsWith('-')) throw new UsageError(`Unknown option '${word}'.`)
    else words.push(word)
  }
  return { flags, words, forNode }
}

function withoutLong(files: readonly string[]): string[] {
  const quick = files.filter((file) => !isLong(file))
  if (quick.length === 0) return [...files]
  const left = files.filter(isLong)
  if (left.length > 0) {
    const list = left.map((file) => `  ${file} (${aloneFiles[file]} s)`).join('\n')
    console.log(`Left out, because they take long; --long runs them too:\n${list}\n`)
  }
  return quick
}

type Running = { isWhole: boolean; slowest: boolean; program: string | undefined }

/** Many processes load the same files, so they share a compile cache. */
async function runNode(given: readonly string[], { isWhole, slowest, program }: Running) {
  /**
   * The time limit for a run that hangs. A hanging test is reported five minutes before the run is ended. A slow run on
   * two busy cores must still pass.
   */
  const limitMinutes = isWhole ? 180 : 45
  const hasReporter = given.some((word) => word.startsWith('--test-reporter'))
  const options = [
    // One more process than cores, because each spends a third of its time waiting for PostgreSQL, a browser or a
    // process.
    `--test-concurrency=${availableParallelism() + 1}`,
    `--test-timeout=${(limitMinutes - 5) * 60_000}`,
    ...(hasReporter ? [] : reporters('spec', join(import.meta.dirname, 'testing/summary-reporter.ts'))),
  ]
  const child = spawn(process.execPath, ['--test', ...options, ...given], {
    cwd: repoDir,
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(stateDir(), 'compile-cache'),
      BROADSIDE_SLOWEST_TESTS: slowest ? '20' : '0',
      ...(program && { BROADSIDE_TEST_PROGRAM: program }),
      ...(isWhole && { TEST_LENGTH: 'whole' }),
    },
    // A test that leaves a server open would otherwise keep the run from ending.
    timeout: limitMinutes * 60_000,
  })
  const [code] = await once(child, 'exit')
  return (code as number | null) ?? 1
}

function reporters(...names: string[]): string[] {
  return names.flatMap((name) => [`--test-reporter=${name}`, '--test-reporter-destination=stdout'])
}
