import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Logger } from '../../platform/observability/logger.ts'
import { isAnswering, postJson, ServiceError } from '../../platform/outbound-http/configured-service.ts'
import { secretSettings } from '../../platform/settings/secret-settings.ts'
import { fileVariable } from '../../platform/settings/setting-files.ts'
import { type Settings, SettingsError } from '../../platform/settings/settings.ts'

export type Act = 'start' | 'stop'

/** How the model is started and stopped. Both actions can be repeated. A failed action throws and is retried. */
export type ModelDriver = {
  /** False if someone else manages the model. It is then only monitored. */
  canStart: boolean
  /** True if the model stops with the worker that started it. */
  endsWithWorker: boolean
  /** The actions that bring an unreachable model back. */
  revival: readonly Act[]
  /** True if this driver has no running model: it has not started one, the start failed, or the model has exited. */
  isDown(): boolean
  start(): Promise<void>
  stop(): Promise<void>
  /** Stops the model if it must stop with this worker. The driver can be used again afterwards. */
  letGo(): Promise<void>
} & AsyncDisposable

export const driverSettings = [
  'MODEL_DRIVER',
  'MODEL_URL',
  'JUDGE_URL',
  'MODEL_HEALTH_PATH',
  'MODEL_COMMAND',
  'MODEL_START_URL',
  'MODEL_STOP_URL',
  'MODEL_DRIVER_TOKEN',
] as const
export type DriverSettings = Settings<(typeof driverSettings)[number]>

/**
 * The health URL of the model that is started on demand. That is the judge if there is one, because the local model
 * runs on any machine and is always up.
 */
export const healthUrl = (settings: Settings<'MODEL_URL' | 'JUDGE_URL' | 'MODEL_HEALTH_PATH'>) =>
  `${settings.JUDGE_URL ?? settings.MODEL_URL}${settings.MODEL_HEALTH_PATH}`

/** The driver named in the settings. Throws a `SettingsError` if a setting it needs is missing. */
export function driverFrom(settings: DriverSettings, logger: Logger): ModelDriver {
  const drivers: Record<DriverSettings['MODEL_DRIVER'], () => ModelDriver> = {
    command: () => {
      const { MODEL_COMMAND: command } = required(settings, ['MODEL_COMMAND'])
      return commandDriver({ command, healthUrl: healthUrl(settings), logger })
    },
    webhooks: () => {
      const needed = required(settings, ['MODEL_START_URL', 'MODEL_STOP_URL', 'MODEL_DRIVER_TOKEN'])
      const urls = { start: needed.MODEL_START_URL, stop: needed.MODEL_STOP_URL }
      return webhookDriver(urls, needed.MODEL_DRIVER_TOKEN)
    },
    'always-on': () => alwaysOn,
  }
  return drivers[settings.MODEL_DRIVER]()
}

function required<const Name extends keyof DriverSettings>(settings: DriverSettings, names: readonly Name[]) {
  const missing = names.filter((name) => settings[name] === undefined)
  if (missing.length > 0)
    throw new SettingsError(`The model driver ${settings.MODEL_DRIVER} also needs ${missing.join(' and ')}.`)
  return settings as DriverSettings & { [Key in Name]: NonNullable<DriverSettings[Key]> }
}

/** Long enough for a cloud control plane, which responds before the machine is up. */
const webhookTimeoutMs = 10_000

function webhookDriver(urls: Record<Act, string>, bearer: string): ModelDriver {
  let isDown = true
  const call = async (action: Act) => {
    await postJson(urls[action], { action }, { timeoutMs: webhookTimeoutMs, maxBytes: 65_536, bearer }).catch(
      (error) => {
        // Any success status is enough; the body does not matter.
        if (!(error instanceof ServiceError && (error.kind === 'not_json' || error.kind === 'too_large'))) throw error
      },
    )
    isDown = action === 'stop'
  }
  return {
    canStart: true,
    endsWithWorker: false,
    // A short network failure must not cause a restart, which can take twenty minutes. A model that stays unreachable
    // is stopped and started again once its start is overdue.
    revival: ['start'],
    isDown: () => isDown,
    start: () => call('start'),
    stop: () => call('stop'),
    letGo: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
}

const nothing = async () => {}
const alwaysOn: ModelDriver = {
  canStart: false,
  endsWithWorker: false,
  revival: [],
  isDown: () => false,
  start: nothing,
  stop: nothing,
  letGo: nothing,
  [Symbol.asyncDispose]: nothing,
}

type Options = { command: string; healthUrl: string; logger: Logger }

/** Runs the model as a child process that never outlives this worker, even if the worker is killed with SIGKILL. */
export function commandDriver({ command, healthUrl, logger }: Options): ModelDriver {
  let running: Run | undefined
  const start = async () => {
    if (running && !running.isStopping()) return
    await running?.ended
    // A model that someone else started is used instead: a second one could not listen on the same port.
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

/** How long a command has to exit after SIGTERM. */
const graceSeconds = 5

/**
 * The wrapper shell between the worker and the command. Nothing is ever written to its standard input. When the input
 * closes, because the worker closed it or died, the command receives SIGTERM and, after the grace period, SIGKILL. When
 * the command exits, the shell prints its status and kills everything it left behind: all processes share one process
 * group, which `kill` addresses as process 0.
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
    // Creates a separate process group.
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
      // They have already exited.
    }
  }
  const ended = once(child, 'close').then(
    async () => {
      const status = (await printed).trim()
      // A wrapper shell that printed nothing was killed itself and has not cleaned up.
      if (status === '') killGroup()
      if (!isStopping) logger.warn({ status }, 'model command exited')
    },
    (error) => logger.error({ error }, 'could not run the model command'),
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

/** The model reads untrusted text, so it gets none of the worker's secrets except its API key. */
function environmentOfModel(): NodeJS.ProcessEnv {
  const secrets = secretSettings.filter((name) => name !== 'MODEL_API_KEY')
  const hidden = new Set<string>(secrets.flatMap((name) => [name, fileVariable(name)]))
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !hidden.has(name)))
}
