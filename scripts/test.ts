import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startPostgres } from '../tooling/services/postgres.ts'
import { repoDir, stateDir } from '../tooling/services/state.ts'

/**
 * These files change or measure their process, or take so long that the whole run would wait for them. Each gets its
 * own process, and these start first, the longest before the others.
 */
const alone = [
  'test/sites/browser.test.ts',
  'scripts/fault-injection/chaos/chaos.test.ts',
  'scripts/measurement/bench/scale/scale.test.ts',
  'test/operations/processes.test.ts',
  'test/operations/previous-release.test.ts',
  'test/clients/python.test.ts',
  'test/clients/python-command-line.test.ts',
  'test/clients/command-line.test.ts',
  'test/sites/document-examples.test.ts',
  'test/journeys/accounts/quickstart-clients.test.ts',
  'test/operations/monitoring.test.ts',
  'test/sites/valid-pages.test.ts',
  'test/desk/browser.test.ts',
  'test/sites/incremental-pages.test.ts',
  'test/owner-page/browser.test.ts',
  'test/drafts/phone.test.ts',
  'test/sites/rebuild.test.ts',
  'test/operations/operator.test.ts',
  'test/operations/operator-posts.test.ts',
  'test/journeys/moderation/model-gives-no-answer.test.ts',
  'test/money/ledger-property.test.ts',
  'test/api/flood.test.ts',
  'src/moderation/model-control/command-driver.test.ts',
  'src/http/shed-load.test.ts',
  'src/http/loop-delay.test.ts',
]

/**
 * The number of files per process. Fewer where each file takes seconds, so that the run does not wait for a group that
 * started late.
 */
const groupSizes = { 'test clients/typescript': 8, 'src scripts tooling model': 24 }

const isWhole = process.argv.includes('--whole')
/**
 * The time limit for a run that hangs. A hanging test is reported five minutes before the run is ended. A slow run on
 * two busy cores must still pass.
 */
const limitMinutes = isWhole ? 180 : 45
const given = process.argv.slice(2).filter((word) => word !== '--whole')
if (given.includes('--help')) {
  console.log(
    'Usage: npm test [-- [--whole] <file or option of node --test> …]\n\nRuns the tests against this checkout’s own PostgreSQL. ' +
      'With --whole, randomized tests run three to four times as many cases, and pages are tested on every site.',
  )
} else {
  await startPostgres()
  const hasFile = given.some((word) => word.endsWith('.ts'))
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-test-groups-'))
  process.exitCode = await run(hasFile ? [] : writeGroups(folder.path))
}

/**
 * All other files, in groups that are the same every time. A short service test spends two thirds of its time
 * loading and warming up the service, which a group does only once. The runner sorts its files by name.
 */
function writeGroups(folder: string): string[] {
  const groups = alone.map((file) => [file])
  for (const [folders, size] of Object.entries(groupSizes)) {
    const patterns = folders.split(' ').map((name) => `${name}/**/*.test.ts`)
    const files = globSync(patterns, { cwd: repoDir }).filter((file) => !alone.includes(file))
    for (let rest = files.sort(); rest.length > 0; rest = rest.slice(size)) groups.push(rest.slice(0, size))
  }
  return groups.map((files, index) => {
    const path = join(folder, `${String(index).padStart(3, '0')}.mjs`)
    writeFileSync(path, renderGroup(files))
    return path
  })
}

/** A suite per file keeps its before and after hooks separate. */
function renderGroup(files: readonly string[]): string {
  const urls = Object.fromEntries(files.map((file) => [file, pathToFileURL(join(repoDir, file)).href]))
  return [
    "import { suite } from 'node:test'",
    `for (const [file, url] of Object.entries(${JSON.stringify(urls)}))`,
    '  suite(file, async () => void (await import(url)))',
    '',
  ].join('\n')
}

/** Many processes load the same files, so they share a compile cache. */
async function run(files: readonly string[]): Promise<number> {
  // One more process than cores, because each spends a third of its time waiting for PostgreSQL, a browser or a
  // process.
  const options = [`--test-concurrency=${availableParallelism() + 1}`, `--test-timeout=${(limitMinutes - 5) * 60_000}`]
  const child = spawn(process.execPath, ['--test', ...options, ...given, ...files], {
    cwd: repoDir,
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(stateDir(), 'compile-cache'),
      ...(isWhole && { TEST_LENGTH: 'whole' }),
    },
    // A test that leaves a server open would otherwise keep the run from ending.
    timeout: limitMinutes * 60_000,
  })
  const [code] = await once(child, 'exit')
  return code ?? 1
}
