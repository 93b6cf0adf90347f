import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { startPostgres } from './services/postgres.ts'
import { repoDir } from './services/state.ts'

const given = process.argv.slice(2)
if (given.includes('--help')) {
  console.log(
    'Usage: npm test [-- <file or option of node --test> …]\n\nRuns the tests against a PostgreSQL of this checkout.',
  )
} else {
  const everything = ['src', 'test', 'scripts', 'client/test'].map((folder) => `${folder}/**/*.test.ts`)
  const hasFile = given.some((word) => word.endsWith('.ts'))
  await startPostgres()
  // One more than there are processors: most tests wait for somebody most of the time.
  const options = [`--test-concurrency=${availableParallelism() + 1}`, '--test-timeout=300000']
  const child = spawn(process.execPath, ['--test', ...options, ...given, ...(hasFile ? [] : everything)], {
    cwd: repoDir,
    stdio: 'inherit',
    // A test that leaves a server open would otherwise keep the run from ending.
    timeout: 13 * 60_000,
  })
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
}
