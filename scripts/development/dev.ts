import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describeStack, startServices, stopByPidFile, stopServices, untilReady } from '../../tooling/services/stack.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { explainNotReady, NotReady } from '../../tooling/services/until-ready.ts'

const nextSteps =
  'See its log above. All services were stopped. Fix the reported error, or free up the machine if it is busy, and run `npm run dev` again.'

if (process.argv.includes('--help')) {
  console.log(
    'Usage: npm run dev\n\nStarts everything, restarts a process when its code changes, and stops everything on Ctrl-C.',
  )
} else await runDevelopment()

async function runDevelopment() {
  const startedAt = performance.now()
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
  let child: ChildProcess | undefined
  try {
    await stopByPidFile('broadside')
    const environment = await startServices((text) => console.log(`✓ ${text}`))
    if (stop.signal.aborted) return
    child = startProcesses(environment)
    const ended = once(child, 'exit')
    stop.signal.addEventListener('abort', () => child?.kill('SIGTERM'))
    await untilReady(() => child?.exitCode === null && child.signalCode === null)
    if (!stop.signal.aborted)
      console.log(`\nReady after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s:\n${describeStack()}\n`)
    await ended
  } catch (error) {
    if (!(stop.signal.aborted && error instanceof NotReady)) explainNotReady(error, nextSteps)
  } finally {
    child?.kill('SIGTERM')
    await stopServices()
    console.log('Stopped.')
  }
}

function startProcesses(environment: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, ['src/bin/broadside.ts', 'start', '--watch'], {
    cwd: repoDir,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
