import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { readSettings } from '../../platform/settings.ts'
import type { Command } from '../command.ts'

const program = fileURLToPath(new URL('../broadside.ts', import.meta.url))

export const start: Command = {
  usage: 'start',
  summary: 'Runs all processes, and starts one again when it dies.',
  options: { watch: { type: 'boolean', description: 'Restart a process when its code changes.' } },
  run: async ({ environment, flags }) => {
    const settings = readSettings(environment, ['API_PROCESSES', 'API_PORT', 'API_HEALTH_PORT'])
    const apis = Array.from({ length: settings.API_PROCESSES }, (_, index) => ({
      args: ['api'],
      environment: {
        API_PORT: String(settings.API_PORT + index),
        API_HEALTH_PORT: String(settings.API_HEALTH_PORT + index),
      },
    }))
    const watch = flags['watch'] ? ['--watch', '--watch-preserve-output'] : []
    const stop = new AbortController()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
    await Promise.all(
      [...apis, { args: ['owner-page'], environment: {} }].map((child) =>
        keepRunning([...watch, program, ...child.args], { ...environment, ...child.environment }, stop.signal),
      ),
    )
  },
}

/** A process that died is started again after a pause, so that one that cannot start does not burn the machine. */
const pauseMs = 1_000

async function keepRunning(args: string[], environment: NodeJS.ProcessEnv, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'inherit', 'inherit'] })
    const passOn = () => child.kill('SIGTERM')
    stop.addEventListener('abort', passOn)
    await ended(child)
    stop.removeEventListener('abort', passOn)
    if (!stop.aborted) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
