import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Logger } from '../../platform/logger.ts'
import { isAnswering } from '../../platform/outbound-http/configured-service.ts'
import { settings } from '../../platform/settings.ts'
import type { ModelDriver } from './drivers.ts'

type Options = { command: string; healthUrl: string; logger: Logger }

/** Runs the model as a child of this worker, which it never outlives: not even one that is killed with SIGKILL. */
export function commandDriver({ command, healthUrl, logger }: Options): ModelDriver {
  let running: Run | undefined
  const start = async () => {
    if (running && !running.isStopping()) return
    await running?.ended
    // A model that somebody else started does as well, and a second one could not listen beside it.
    if (await isAnswering(healthUrl, 2_000)) return
    const run = runKept(command, logger)
    running = run
    run.ended.then(() => {
      if (running === run) running = undefined
    })
  }
  const stop = async () => running?.stop()
  return {
    canStart: true,
    endsWithWorker: true,
    revival: ['stop', 'start'],
    isDown: () => running === undefined || running.isStopping(),
    start,
    stop,
    letGo: stop,
    [Symbol.asyncDispose]: stop,
  }
}

type Run = { isStopping(): boolean; ended: Promise<void>; stop(): Promise<void> }

/** How long a command that was asked to end may take. */
const graceSeconds = 5

/**
 * The shell between the worker and the command. Its standard input is the worker's life: nothing is ever written to it,
 * and when it ends, because the worker closed it or is no more, the command is asked to end, and made to after the grace.
 * When the command ends, by itself or not, its status is printed and whatever it left behind goes too: all are one
 * process group, which signal 0 means.
 */
const keeper = `
exec 3<&0
sh -c "$1" 3<&- </dev/null >&2 &
model=$!
exec 2>/dev/null
trap : TERM
{ trap '' TERM; read -r _ <&3; kill -TERM 0; sleep ${graceSeconds}; kill -KILL 0; } >/dev/null &
wait "$model"; status=$?
while kill -0 "$model"; do wait "$model"; status=$?; done
echo "$status"
kill -KILL 0`

function runKept(command: string, logger: Logger): Run {
  let isStopping = false
  const child = spawn('sh', ['-c', keeper, 'sh', command], {
    // A process group of its own.
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: environmentOfModel(),
  })
  child.stdin.on('error', () => {})
  const printed = text(child.stdout).catch(() => '')
  const killGroup = () => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // They are gone.
    }
  }
  const ended = once(child, 'close').then(
    async () => {
      const status = (await printed).trim()
      // A keeper that printed nothing was killed itself, and has not cleared up.
      if (status === '') killGroup()
      if (!isStopping) logger.warn({ status }, 'the command of the model ended')
    },
    (error) => logger.error({ error }, 'the command of the model could not be run'),
  )
  const stop = async () => {
    isStopping = true
    child.stdin.end()
    const insist = setTimeout(killGroup, (graceSeconds + 1) * 1_000)
    await ended
    clearTimeout(insist)
  }
  return { isStopping: () => isStopping, ended, stop }
}

/** The model reads what strangers wrote, so it is given none of the worker's secrets but its own. */
function environmentOfModel(): NodeJS.ProcessEnv {
  const isSecret = (name: string) =>
    name in settings && name !== 'MODEL_API_KEY' && /DATABASE_URL|SMTP_URL|TOKEN|SECRET|PASSWORD|_KEY/.test(name)
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSecret(name)))
}
