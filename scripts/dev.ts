import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describeStack, startServices, stopByPidFile, stopServices, untilReady } from './services/stack.ts'
import { repoDir } from './services/state.ts'

if (process.argv.includes('--help')) {
  console.log(
    'Usage: npm run dev\n\nStarts everything, restarts a process when its code changes, and stops all at Ctrl-C.',
  )
} else await runDevelopment()

async function runDevelopment() {
  const startedAt = performance.now()
  await stopByPidFile('broadside', 'broadside.ts')
  const environment = await startServices((text) => console.log(`✓ ${text}`))
  const child = spawn(process.execPath, ['src/bin/broadside.ts', 'start', '--watch'], {
    cwd: repoDir,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  // Ctrl-C reaches the whole group; the processes end by themselves, and the services after them.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill('SIGTERM'))
  await untilReady()
  console.log(`\nReady after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s:\n${describeStack()}\n`)
  if (child.exitCode === null) await once(child, 'exit')
  await stopServices()
  console.log('Stopped.')
}
