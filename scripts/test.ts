import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from './services/postgres.ts'
import { repoDir, stateDir } from './services/state.ts'

/** They take minutes or wait for a browser, and run one after another beside all others: in their turn the end would wait for them. */
const longest = [
  'test/pages-from-nothing.test.ts',
  'test/ledger-property.test.ts',
  'test/pages-in-a-browser.test.ts',
  'test/desk-in-a-browser.test.ts',
  'test/owner-pages-in-a-browser.test.ts',
]

const given = process.argv.slice(2)
if (given.includes('--help')) {
  console.log(
    'Usage: npm test [-- <file or option of node --test> …]\n\nRuns the tests against a PostgreSQL of this checkout.',
  )
} else {
  await startPostgres()
  const hasFile = given.some((word) => word.endsWith('.ts'))
  const runs = hasFile ? [run([], availableParallelism())] : [run(longest, 1), run(others(), availableParallelism())]
  const codes = await Promise.all(runs)
  process.exitCode = codes.find((code) => code !== 0) ?? 0
}

function others(): string[] {
  const everything = ['src', 'test', 'scripts', 'client/test'].map((folder) => `${folder}/**/*.test.ts`)
  return globSync(everything, { cwd: repoDir }).filter((file) => !longest.includes(file))
}

/** Hundreds of processes load the same files: what one has compiled, the others need not compile again. */
async function run(files: readonly string[], concurrency: number): Promise<number> {
  const options = [`--test-concurrency=${concurrency}`, '--test-timeout=600000']
  const child = spawn(process.execPath, ['--test', ...options, ...given, ...files], {
    cwd: repoDir,
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: join(stateDir(), 'compile-cache') },
    // A test that leaves a server open would otherwise keep the run from ending.
    timeout: 14 * 60_000,
  })
  const [code] = await once(child, 'exit')
  return code ?? 1
}
