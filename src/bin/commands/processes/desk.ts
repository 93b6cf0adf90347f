import { buildDesk } from '../../../desk/server.ts'
import { openReplica, primaryReader } from '../../../platform/replica.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import type { Command } from '../../command.ts'
import { processSettings, runProcess } from '../../run-process.ts'
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

const desk: Command = {
  usage: 'desk',
  summary: 'Runs the desk, where staff review posts.',
  details: 'Listens on DESK_PORT for the gateway, and on DESK_HEALTH_PORT for health checks.',
  run: async ({ environment }) => {
    const settings = readSettings(environment, deskSettings)
    await runProcess({
      name: 'desk',
      settings,
      databaseUrl: settings.DESK_DATABASE_URL,
      healthPort: settings.DESK_HEALTH_PORT,
      open: async (parts) => {
        const { DESK_REPLICA_DATABASE_URL: url, REPLICA_MAX_LAG_SECONDS: maxLagSeconds } = settings
        const { db, clock, logger } = parts
        const replica = url
          ? openReplica({
              ...{ url, maxLagSeconds, primary: db, fallback: db, clock, logger },
              ...{ poolMax: replicaConnections, applicationName: 'broadside desk replica' },
            })
          : undefined
        const app = buildDesk({
          ...parts,
          statisticsReader: replica ?? primaryReader(db, clock),
          deskSecrets: settings.DESK_SECRET,
          deskUrl: settings.DESK_URL,
          sites: sitesFromSettings(settings.SITES),
        })
        await app.listen({ host: settings.LISTEN_HOST, port: settings.DESK_PORT })
        return { close: () => app.close().finally(() => replica?.[Symbol.asyncDispose]()) }
      },
    })
  },
}

export const commands: readonly Command[] = [desk]
