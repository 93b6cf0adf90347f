import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Command, CommandError } from '../../command.ts'
import { type Instance, restartOneAtATime } from '../../restart/one-at-a-time.ts'

const defaultCommand = 'systemctl restart "$UNIT"'
const defaultWaitSeconds = 120

const rollingRestart: Command = {
  usage: 'rolling-restart',
  summary: 'Restarts all processes of this machine one at a time, without downtime.',
  details:
    'Restarts the systemd units: API processes first, then workers, model, owner page, desk and cards. Waits until each is ready ' +
    'before it restarts the next, and stops at the first that does not become ready. For `npm start`, send SIGHUP to ' +
    'that process instead.',
  options: {
    'restart-command': {
      type: 'string',
      description: `Shell command that restarts the unit $UNIT. Default: ${defaultCommand}`,
    },
    'wait-seconds': { type: 'string', description: `How long to wait for each. Default: ${defaultWaitSeconds}` },
    'without-model': { type: 'boolean', description: 'The model does not run as broadside-model.service.' },
  },
  run: async ({ environment, flags }) => {
    const waitSeconds = Number(flags['wait-seconds'] ?? defaultWaitSeconds)
    if (!(waitSeconds >= 1)) throw new CommandError('--wait-seconds must be a number of seconds, at least 1.')
    const kinds = unitsOf(environment, String(flags['restart-command'] ?? defaultCommand), !flags['without-model'])
    const stop = new AbortController()
    const abort = () => stop.abort()
    for (const signal of signals) process.once(signal, abort)
    const restarting = restartOneAtATime(kinds, { waitSeconds, stop: stop.signal, report: console.log })
    const failed = await restarting.finally(() => {
      for (const signal of signals) process.off(signal, abort)
    })
    if (failed) throw new CommandError(explain(failed, waitSeconds))
    console.log('All processes run the current release.')
  },
}

const signals = ['SIGTERM', 'SIGINT'] as const

const names = [
  'LISTEN_HOST',
  'API_PROCESSES',
  'API_HEALTH_PORT',
  'WORKER_PROCESSES',
  'WORKER_HEALTH_PORT',
  'OWNER_PAGE_HEALTH_PORT',
  'DESK_HEALTH_PORT',
  'CARDS_HEALTH_PORT',
  'MODEL_PORT',
] as const

function unitsOf(environment: NodeJS.ProcessEnv, command: string, withModel: boolean): Instance[][] {
  const settings = readSettings(environment, names)
  const unit = (name: string, port: number, path = '/readyz'): Instance => ({
    name: `broadside-${name}.service`,
    readyUrl: `http://${settings.LISTEN_HOST}:${port}${path}`,
    restart: () => runShell(command, `broadside-${name}.service`),
  })
  const several = (name: string, count: number, firstPort: number) =>
    Array.from({ length: count }, (_, index) => unit(`${name}@${index + 1}`, firstPort + index))
  return [
    several('api', settings.API_PROCESSES, settings.API_HEALTH_PORT),
    several('worker', settings.WORKER_PROCESSES, settings.WORKER_HEALTH_PORT),
    withModel ? [unit('model', settings.MODEL_PORT, '/healthz')] : [],
    [unit('owner-page', settings.OWNER_PAGE_HEALTH_PORT)],
    [unit('desk', settings.DESK_HEALTH_PORT)],
    [unit('cards', settings.CARDS_HEALTH_PORT)],
  ]
}

async function runShell(command: string, unit: string): Promise<void> {
  const child = spawn('/bin/sh', ['-c', command], { env: { ...process.env, UNIT: unit }, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new CommandError(`The restart of ${unit} failed. ${wayBack(unit)}`)
}

const explain = ({ name }: Instance, waitSeconds: number) =>
  `${name} was not ready within ${waitSeconds} s. The processes after it were not restarted. ${wayBack(name)}`

const wayBack = (unit: string) =>
  `See \`journalctl -u ${unit} -n 50\`. To return to the previous release, run ` +
  '`ln -sfn /opt/broadside/releases/<previous version> /opt/broadside/current` and then `broadside rolling-restart`.'

export const commands: readonly Command[] = [rollingRestart]
