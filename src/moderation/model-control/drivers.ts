import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Logger } from '../../platform/observability/logger.ts'
import { isAnswering, postJson, ServiceError } from '../../platform/outbound-http/configured-service.ts'
import { type Settings, SettingsError, settings } from '../../platform/settings/settings.ts'

export type Act = 'start' | 'stop'

/** How the model is brought up and down. Both acts may be repeated; one that fails says so and is tried again. */
export type ModelDriver = {
  /** False for a model that somebody else looks after: then it is only watched. */
  canStart: boolean
  /** True when the model ends with the worker that started it. */
  endsWithWorker: boolean
  /** What brings a model back that gives no sign of life. */
  revival: readonly Act[]
  /** True when nothing that this driver started is there: a start is still due, was refused, or has come to an end. */
  isDown(): boolean
  start(): Promise<void>
  stop(): Promise<void>
  /** Ends what ends with this worker, and nothing else. The driver can be used again afterwards. */
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
 * Where the model that is started on demand says that it is well. That is the judge, where there is one: the local model
 * runs on any machine and is always there.
 */
export const healthUrl = (settings: Settings<'MODEL_URL' | 'JUDGE_URL' | 'MODEL_HEALTH_PATH'>) =>
  `${settings.JUDGE_URL ?? settings.MODEL_URL}${settings.MODEL_HEALTH_PATH}`

/** The driver that the settings name; a `SettingsError` when they lack something that it needs. */
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
    throw new SettingsError(`The model's driver ${settings.MODEL_DRIVER} needs ${missing.join(' and ')} as well.`)
  return settings as DriverSettings & { [Key in Name]: NonNullable<DriverSettings[Key]> }
}

/** Long enough for a cloud's control plane, which answers before the machine is there. */
const webhookTimeoutMs = 10_000

function webhookDriver(urls: Record<Act, string>, bearer: string): ModelDriver {
  let isDown = true
  const call = async (action: Act) => {
    await postJson(urls[action], { action }, { timeoutMs: webhookTimeoutMs, maxBytes: 65_536, bearer }).catch(
      (error) => {
        // Any success will do: what is said with it does not matter.
        if (!(error instanceof ServiceError && (error.kind === 'not_json' || error.kind === 'too_large'))) throw error
      },
    )
    isDown = action === 'stop'
  }
  return {
    canStart: true,
    endsWithWorker: false,
    // A short break in the network must not cost a start of twenty minutes. A model that stays away is stopped and
    // started when its start is overdue.
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
