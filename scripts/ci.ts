import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stopPostgres } from './services/postgres.ts'
import { repoDir } from './services/state.ts'

/** What a change must pass, cheapest first. `.ci/run` and a contributor's machine run exactly this. */
const steps = ['check', 'generate -- --check', 'build', 'check:client', 'test']

for (const step of steps) {
  const startedAt = performance.now()
  console.log(`\n▶ npm run ${step}`)
  const child = spawn('npm', ['run', '--silent', ...step.split(' ')], { cwd: repoDir, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  console.log(`${code === 0 ? '✓' : '✗'} npm run ${step} (${seconds} s)`)
  if (code !== 0) {
    process.exitCode = 1
    break
  }
}
// A cluster that this run started for itself must not outlive it on a build machine.
if (process.env['CI']) await stopPostgres()
