import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sitesFrom } from '../../../http/sites.ts'
import { kinds } from '../../../kinds/index.ts'
import { connect } from '../../../platform/database/database.ts'
import { assertSchemaIsCurrent, readMigrations } from '../../../platform/database/migrations.ts'
import { pause } from '../../../platform/repeat.ts'
import { readSettings, type Settings, SettingsError } from '../../../platform/settings/settings.ts'
import type { Command } from '../../command.ts'
import { apiSettings } from './api.ts'
import { deskSettings } from './desk.ts'
import { modelServerSettings } from './model.ts'
import { ownerPageSettings } from './owner-page.ts'
import { workerSettings } from './worker.ts'

const program = fileURLToPath(new URL('../../broadside.ts', import.meta.url))
const stopWithSupervisor = new URL('../../stop-with-supervisor.ts', import.meta.url).href

const start: Command = {
  usage: 'start',
  summary: 'Runs all processes, and restarts any process that exits.',
  options: { watch: { type: 'boolean', description: 'Restart a process when its code changes.' } },
  run: async ({ environment, flags }) => {
    const children = await planProcesses(environment)
    const watch = flags['watch'] ? ['--watch', '--watch-preserve-output'] : []
    const stop = new AbortController()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
    await Promise.all(
      children.map((child) =>
        keepRunning(
          [...watch, '--import', stopWithSupervisor, program, ...child.args],
          { ...environment, ...child.environment },
          stop.signal,
        ),
      ),
    )
  },
}

/** The processes to run. Reports invalid settings once, instead of letting each process fail forever. */
async function planProcesses(environment: NodeJS.ProcessEnv) {
  const settings = readSettings(environment, [
    ...new Set([
      ...apiSettings,
      ...ownerPageSettings,
      ...deskSettings,
      ...workerSettings,
      ...modelServerSettings,
      'API_PROCESSES' as const,
      'WORKER_PROCESSES' as const,
    ]),
  ])
  const sites = sitesFrom(kinds, settings.SITES)
  assertOwnHosts(settings, sites)
  const apis = copies(settings.API_PROCESSES, ['api'], {
    API_PORT: settings.API_PORT,
    API_HEALTH_PORT: settings.API_HEALTH_PORT,
  })
  const workers = copies(settings.WORKER_PROCESSES, ['worker'], { WORKER_HEALTH_PORT: settings.WORKER_HEALTH_PORT })
  const ownerPage = copies(1, ['owner-page'], {
    OWNER_PAGE_PORT: settings.OWNER_PAGE_PORT,
    OWNER_PAGE_HEALTH_PORT: settings.OWNER_PAGE_HEALTH_PORT,
  })
  const desk = copies(1, ['desk'], { DESK_PORT: settings.DESK_PORT, DESK_HEALTH_PORT: settings.DESK_HEALTH_PORT })
  const model = runsLocalModel(settings) ? copies(1, ['model'], { MODEL_PORT: settings.MODEL_PORT }) : []
  const processes = [...apis, ...workers, ...ownerPage, ...desk, ...model]
  const ports = processes.flatMap((child) => Object.values(child.environment))
  if (new Set(ports).size < ports.length) throw new SettingsError('The ports of the processes overlap.')
  await using connection = connect(settings.API_DATABASE_URL, { poolMax: 2, applicationName: 'broadside start' })
  await assertSchemaIsCurrent(connection.pool, await readMigrations())
  return processes
}

type Models = Settings<'MODEL_URL' | 'MODEL_PORT' | 'MODEL_DRIVER' | 'JUDGE_URL'>

/** True unless the local model runs elsewhere or a worker starts it on demand. */
function runsLocalModel({ MODEL_URL, MODEL_PORT, MODEL_DRIVER, JUDGE_URL }: Models): boolean {
  const isOnDemand = MODEL_DRIVER === 'command' && (JUDGE_URL === undefined || JUDGE_URL === MODEL_URL)
  return MODEL_URL === `http://127.0.0.1:${MODEL_PORT}` && !isOnDemand
}

type Addresses = Settings<'BROADSIDE_ENVIRONMENT' | 'ACCOUNT_PAGE_URL' | 'DESK_URL'>

/** Hosts that show posts must not have cookies, and the host where staff sign in must not have owner cookies. */
function assertOwnHosts(settings: Addresses, sites: readonly { baseUrl: string }[]): void {
  // Cookies and passkeys ignore ports. Outside production, everything runs on one machine, and only the ports differ.
  const part = settings.BROADSIDE_ENVIRONMENT === 'production' ? 'hostname' : 'host'
  const own = [settings.ACCOUNT_PAGE_URL, settings.DESK_URL].map((url) => new URL(url)[part])
  const others = new Set(sites.map(({ baseUrl }) => new URL(baseUrl)[part]))
  if (new Set(own).size < own.length || own.some((name) => others.has(name)))
    throw new SettingsError('ACCOUNT_PAGE_URL and DESK_URL must use different hosts, and no site can use either.')
}

/** Several processes of one kind, on consecutive ports. */
const copies = (count: number, args: string[], ports: Record<string, number>) =>
  Array.from({ length: count }, (_, index) => ({
    args,
    environment: Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port + index)])),
  }))

/** The pause before a restart, so that a process that cannot start does not overload the machine. */
const pauseMs = 1_000

async function keepRunning(args: string[], environment: NodeJS.ProcessEnv, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    // Nothing is written to the pipe; its end tells the child that this process is gone.
    const child = spawn(process.execPath, args, { env: environment, stdio: ['pipe', 'inherit', 'inherit'] })
    const passOn = () => child.kill('SIGTERM')
    stop.addEventListener('abort', passOn)
    await ended(child)
    stop.removeEventListener('abort', passOn)
    await pause(pauseMs, stop)
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

export const commands: readonly Command[] = [start]
