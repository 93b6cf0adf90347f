import type { Logger } from '../../platform/logger.ts'
import { postJson, ServiceFault } from '../../platform/outbound-http/configured-service.ts'
import { type Settings, SettingsError } from '../../platform/settings.ts'
import { commandDriver } from './command-driver.ts'

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
        if (!(error instanceof ServiceFault && (error.kind === 'not_json' || error.kind === 'too_large'))) throw error
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
