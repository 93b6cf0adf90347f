import { type CheckFinding, type Context, type Outcome, type RunCheck, warning } from '../check.ts'
import { databaseAddress, withConnection } from '../databases.ts'

const settings = ['API_REPLICA_DATABASE_URL', 'DESK_REPLICA_DATABASE_URL', 'REPLICA_MAX_LAG_SECONDS'] as const

/** Nothing breaks without a replica, because the primary answers. So these are warnings. */
export const checkReplica: RunCheck = async (context) => {
  const { API_REPLICA_DATABASE_URL, DESK_REPLICA_DATABASE_URL, REPLICA_MAX_LAG_SECONDS } = context.read(settings)
  const urls = [API_REPLICA_DATABASE_URL, DESK_REPLICA_DATABASE_URL].filter((url) => url !== undefined)
  if (urls.length === 0) return { summary: 'No replica is set. The primary answers everything.', findings: [] }
  const outcomes = await Promise.all(urls.map((url) => examine(context, url, REPLICA_MAX_LAG_SECONDS)))
  return {
    summary: outcomes.map(({ summary }) => summary).join(' '),
    findings: outcomes.flatMap(({ findings }) => findings),
  }
}

type Server = { is_replica: boolean; is_paused: boolean | null; behind: number | null }

async function examine(context: Context, url: string, maxLagSeconds: number): Promise<Outcome> {
  const place = databaseAddress(url)
  const found = (finding: CheckFinding) => ({ summary: '', findings: [finding] })
  let server: Server | undefined
  try {
    const { rows } = await withConnection(context, url, (client) =>
      client.query<Server>(`
        select pg_is_in_recovery() as is_replica,
          case when pg_is_in_recovery() then pg_is_wal_replay_paused() end as is_paused,
          case when pg_last_wal_receive_lsn() is distinct from pg_last_wal_replay_lsn()
            then extract(epoch from statement_timestamp() - pg_last_xact_replay_timestamp())::float8 end as behind`),
    )
    server = rows[0]
  } catch (error) {
    return found(
      warning(
        `The replica ${place} does not answer (${(error as Error).message}). The primary answers instead.`,
        'Start the replica, or fix its URL.',
      ),
    )
  }
  if (!server?.is_replica)
    return found(
      warning(
        `${place} is not a replica: it accepts writes, and its data is its own.`,
        'Create it anew from the primary with pg_basebackup -R, or remove the setting.',
      ),
    )
  if (server.is_paused)
    return found(warning(`The replica ${place} is paused.`, `On the replica: select pg_wal_replay_resume()`))
  if ((server.behind ?? 0) > maxLagSeconds)
    return found(
      warning(
        `The replica ${place} is ${Math.round(server.behind ?? 0)} seconds behind. The primary answers instead.`,
        'Look at its disk and network, and for long queries on it.',
      ),
    )
  return { summary: `The replica ${place} follows the primary.`, findings: [] }
}
