import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pause } from '../../platform/repeat.ts'

/** The pause before a restart, so that a process that cannot start does not overload the machine. */
const pauseMs = 1_000

/** Runs a process again whenever it exits, until the signal is aborted. `restart` ends it and starts it at once. */
export function supervise(args: readonly string[], environment: NodeJS.ProcessEnv, stop: AbortSignal) {
  let child: ChildProcess | undefined
  let skipPause = new AbortController()
  const ended = (async () => {
    while (!stop.aborted) {
      // Nothing is written to the pipe; its end tells the child that this process is gone.
      const current = spawn(process.execPath, args, { env: environment, stdio: ['pipe', 'inherit', 'inherit'] })
      child = current
      const passOn = () => current.kill('SIGTERM')
      stop.addEventListener('abort', passOn)
      await exitOf(current)
      stop.removeEventListener('abort', passOn)
      await pause(pauseMs, AbortSignal.any([stop, skipPause.signal]))
      skipPause = new AbortController()
    }
  })()
  const restart = async () => {
    const current = child
    skipPause.abort()
    current?.kill('SIGTERM')
    if (current) await exitOf(current)
  }
  return { ended, restart }
}

async function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
