import { fileURLToPath } from 'node:url'
import { kinds } from '../../../kinds/index.ts'
import { connect } from '../../../platform/database/database.ts'
import { readMigrations } from '../../../platform/database/migration-files.ts'
import { assertSchemaIsCurrent } from '../../../platform/database/migrations.ts'
import { fileVariable } from '../../../platform/settings/setting-files.ts'
import { readSettings, SettingsError } from '../../../platform/settings/settings.ts'
import { baseUrlsOf } from '../../../posts/sites.ts'
import type { Command } from '../../command.ts'
import { type Instance, readyUrlOf, restartOneAtATime } from '../../restart/one-at-a-time.ts'
import { supervise } from '../../restart/supervise.ts'
import { databaseFault } from '../../startup/database-fault.ts'
import { assertErasureLog, assertOwnHosts, runsLocalModel } from '../../startup/process-rules.ts'
import { apiSettings } from './api.ts'
import { cardsSettings } from './cards.ts'
import { deskSettings } from './desk.ts'
import { modelServerSettings } from './model.ts'
import { ownerPageSettings } from './owner-page.ts'
import { workerSettings } from './worker.ts'

// Not the resolved path: after an upgrade, a symbolic link on the way leads to the new release.
const program = process.argv[1] ?? fileURLToPath(new URL('../../broadside.ts', import.meta.url))
const stopWithSupervisor = new URL('../../stop-with-supervisor.ts', import.meta.url).href

const start: Command = {
  usage: 'start',
  summary: 'Runs all processes, and restarts any process that exits.',
  details:
    'SIGHUP restarts the processes one at a time, each when the one before is ready. They load the code anew, so this ' +
    'upgrades them without downtime.',
  options: { watch: { type: 'boolean', description: 'Restart a process when its code changes.' } },
  run: async ({ environment, flags }) => {
    const children = await planProcesses(environment)
    const watch = flags['watch'] ? ['--watch', '--watch-preserve-output'] : []
    const stop = new AbortController()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
    const running = children.map((child) => {
      const args = [...watch, '--import', stopWithSupervisor, program, ...child.args]
      const supervised = supervise(args, { ...environment, ...child.environment }, stop.signal)
      return { ...supervised, name: child.args.join(' '), readyUrl: readyUrlOf(child.host, child.environment) }
    })
    restartOnHangup(running, stop.signal)
    await Promise.all(running.map(({ ended }) => ended))
  },
}

const waitSeconds = 120

/** One restart after another: a second SIGHUP waits for the first. */
function restartOnHangup(running: readonly Instance[], stop: AbortSignal): void {
  let last: Promise<unknown> = Promise.resolve()
  const kinds = [...Map.groupBy(running, ({ name }) => name).values()]
  const report = (line: string) => console.error(line)
  const restartAll = async () => {
    const failed = await restartOneAtATime(kinds, { waitSeconds, stop, report })
    report(
      failed ? `${failed.name} was not ready within ${waitSeconds} s. The rest was not restarted.` : 'All restarted',
    )
  }
  process.on('SIGHUP', () => {
    last = last.then(restartAll)
  })
}

/** The processes to run. Reports invalid settings once, instead of letting each process fail forever. */
async function planProcesses(environment: NodeJS.ProcessEnv) {
  const settings = readSettings(environment, [
    ...new Set([
      ...apiSettings,
      ...ownerPageSettings,
      ...deskSettings,
      ...cardsSettings,
      ...workerSettings,
      ...modelServerSettings,
      'API_PROCESSES' as const,
      'WORKER_PROCESSES' as const,
    ]),
  ])
  const sites = baseUrlsOf(kinds, settings.SITES)
  assertErasureLog(settings)
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
  const cards = copies(1, ['cards'], {
    CARDS_PORT: settings.CARDS_PORT,
    CARDS_HEALTH_PORT: settings.CARDS_HEALTH_PORT,
  })
  const model = runsLocalModel(settings) ? copies(1, ['model'], { MODEL_PORT: settings.MODEL_PORT }) : []
  const processes = [...apis, ...workers, ...ownerPage, ...desk, ...cards, ...model]
  const ports = processes.flatMap((child) => Object.values(child.environment).filter(Boolean))
  if (new Set(ports).size < ports.length) throw new SettingsError('The ports of the processes overlap.')
  await using connection = connect(settings.API_DATABASE_URL, { poolMax: 2, applicationName: 'broadside start' })
  await assertSchemaIsCurrent(connection.pool, await readMigrations()).catch((error) => {
    // The processes wait for a database that is not ready yet, and say what is missing.
    if (!databaseFault(error, settings.BROADSIDE_ENVIRONMENT)) throw error
  })
  return processes.map((child) => ({ ...child, host: settings.LISTEN_HOST }))
}

/** Several processes of one kind, on consecutive ports. */
const copies = (count: number, args: string[], ports: Record<string, number>) =>
  Array.from({ length: count }, (_, index) => ({
    args,
    // Without its file, because a setting has one form.
    environment: Object.fromEntries(
      Object.entries(ports).flatMap(([name, port]) => [
        [name, String(port + index)],
        [fileVariable(name), ''],
      ]),
    ),
  }))

export const commands: readonly Command[] = [start]
