import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readOptions, runScript } from '../../tooling/script-options.ts'
import { describeStack, startServices, stopByPidFile, stopServices, untilReady } from '../../tooling/services/stack.ts'
import { openSteps } from '../../tooling/services/start/steps.ts'
import { repoDir } from '../../tooling/services/state.ts'

const details = 'Starts everything, restarts a process when its code changes, and stops everything on Ctrl-C.'
/** For the report of a failure. Before the start below, because this file waits there until the end. */
const keptLines = 40

await runScript({ command: 'npm run dev', details }, async (args) => {
  readOptions(args, {})
  await runDevelopment()
})

async function runDevelopment() {
  const steps = openSteps()
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
  let child: ChildProcess | undefined
  try {
    await stopByPidFile('broadside')
    const environment = await startServices(steps)
    if (stop.signal.aborted) return
    const { processes, lastLines } = startProcesses(environment)
    child = processes
    const ended = once(processes, 'exit')
    stop.signal.addEventListener('abort', () => processes.kill('SIGTERM'))
    await steps.run('Broadside', (onWait) => untilReady(processes, onWait, stop.signal), { lastLines })
    console.log(`\nReady after ${steps.seconds()} s:\n${describeStack()}\n`)
    await ended
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    child?.kill('SIGTERM')
    await stopServices()
    console.log('Stopped.')
  }
}

/** Shows what the processes print, and keeps the last lines for the report of a failure. */
function startProcesses(environment: NodeJS.ProcessEnv) {
  const processes = spawn(process.execPath, ['src/bin/broadside.ts', 'start', '--watch'], {
    cwd: repoDir,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let kept = ''
  for (const name of ['stdout', 'stderr'] as const)
    processes[name].setEncoding('utf8').on('data', (text: string) => {
      process[name].write(text)
      kept = `${kept}${text}`.split('\n').slice(-keptLines).join('\n')
    })
  return { processes, lastLines: () => kept.split('\n').filter(Boolean) }
}
