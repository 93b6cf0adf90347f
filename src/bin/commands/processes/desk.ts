import { buildDesk } from '../../../desk/server.ts'
import type { Kind } from '../../../kinds/index.ts'
import { openReplica, primaryReader } from '../../../platform/replica.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import type { Command } from '../../command.ts'
import { listen, openServiceProcess, processSettings, runProcess, type Surroundings } from '../../run-process.ts'
import { sitesFromSettings } from '../../sites.ts'

export const deskSettings = [
  ...processSettings,
  'DESK_URL',
  'DESK_DATABASE_URL',
  'DESK_REPLICA_DATABASE_URL',
  'REPLICA_MAX_LAG_SECONDS',
  'DESK_PORT',
  'DESK_HEALTH_PORT',
  'DESK_SECRET',
] as const

/** Few people look at statistics at the same time. */
const replicaConnections = 4

type Options = { kinds?: readonly Kind[] }

export function openDesk(environment: NodeJS.ProcessEnv, surroundings: Surroundings, options: Options = {}) {
  const settings = readSettings(environment, deskSettings)
  const { LISTEN_HOST: host, DESK_PORT: port } = settings
  const { DESK_DATABASE_URL: databaseUrl, DESK_HEALTH_PORT: healthPort } = settings
  const definition = { name: 'desk', settings, databaseUrl, healthPort }
  return openServiceProcess(definition, surroundings, ({ stack, ...parts }) => {
    const { DESK_REPLICA_DATABASE_URL: url, REPLICA_MAX_LAG_SECONDS: maxLagSeconds } = settings
    const { db, clock, logger } = parts
    const pool = { poolMax: replicaConnections, applicationName: 'broadside desk replica' }
    const statisticsReader = url
      ? stack.use(openReplica({ ...pool, url, maxLagSeconds, primary: db, fallback: db, clock, logger }))
      : primaryReader(db, clock)
    const app = buildDesk({
      ...parts,
      statisticsReader,
      deskSecrets: settings.DESK_SECRET,
      deskUrl: settings.DESK_URL,
      sites: sitesFromSettings(settings.SITES, options.kinds),
    })
    return listen(stack, app, { host, port })
  })
}

export const commands: readonly Command[] = [
  {
    usage: 'desk',
    summary: 'Runs the desk, where staff review posts.',
    details: 'Listens on DESK_PORT for the gateway, and on DESK_HEALTH_PORT for health checks.',
    run: ({ environment }) => runProcess((surroundings) => openDesk(environment, surroundings)),
  },
]
