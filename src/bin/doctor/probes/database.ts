import type pg from 'pg'
import { maxClockDifferenceSeconds, readClockDifference } from '../../../jobs/clock-guard.ts'
import { connect } from '../../../platform/database/database.ts'
import { adminSql, databaseAddress, isLocal, roleUrls, withConnection } from '../databases.ts'
import { type Context, codeOf, must, NotChecked, type Probe, should } from '../probe.ts'
import { run } from '../programs.ts'

export const databaseProbe: Probe = {
  name: 'database',
  expects: 'PostgreSQL 15 or newer answers, accepts writes and has enough connections',
  look: async (context) => {
    const places = Map.groupBy(roleUrls(context), ({ url }) => databaseAddress(url))
    if (places.size === 0)
      throw new NotChecked('No database URL is valid.', context.broadside('doctor --only settings'))
    const names = [...places.keys()].join(', ')
    const sameServer = 'Use the same host, port and database in all of them, unless each leads to the same server.'
    const found = [should(places.size === 1, `The database URLs name several databases: ${names}.`, sameServer)]
    for (const roles of places.values()) found.push(...(await examine(context, roles)))
    return found
  },
}

async function examine(context: Context, roles: readonly { url: string }[]) {
  let refusal: { url: string; code: string } | undefined
  for (const { url } of roles) {
    try {
      return await withConnection(context, url, (client) => examineServer(context, client, url))
    } catch (error) {
      refusal = { url, code: codeOf(error) || 'ECONNRESET' }
      // Another role may have a better password.
      if (!isRoleRefused(refusal.code)) break
    }
  }
  return [explain(context, String(refusal?.url), String(refusal?.code))]
}

/** The role or the database is wrong; PostgreSQL itself works. */
export const isRoleRefused = (code: string) => /^(?:28|42501|3D000)/.test(code)

/** Why no connection was made, by PostgreSQL's code or the system's. */
function explain({ broadside }: Context, url: string, code: string) {
  const { hostname, port } = new URL(url)
  const place = databaseAddress(url)
  const start = isLocal(url) ? 'systemctl start postgresql' : `On ${hostname}: systemctl start postgresql`
  const show = `pg_isready -h ${hostname} -p ${port || 5432} -t 5`
  const reasons: Record<string, [string, string]> = {
    '3D000': ['The database does not exist', broadside('database prepare')],
    ENOTFOUND: ['The host name has no address', `Correct it in the database URLs, or in DNS: getent hosts ${hostname}`],
    ECONNREFUSED: ['Nothing listens: PostgreSQL does not run, or has another port', start],
    ECONNRESET: ['The connection is closed: no PostgreSQL is behind it', start],
    ETIMEDOUT: ['The server was asked twice and does not answer: it hangs, or a firewall drops the packets', show],
  }
  const noRole: [string, string] = ['No role can log in', broadside('doctor --only roles')]
  const [cause, fix] =
    reasons[code] ?? (isRoleRefused(code) ? noRole : [`PostgreSQL refuses connections (${code})`, show])
  return must(false, `${place}: ${cause}.`, fix)
}

type Server = {
  version: string
  number: number
  is_standby: boolean
  is_writable: boolean
  read_only_in: string
  unsafe: string[]
  max_connections: number
  pid: number
}

async function examineServer(context: Context, client: pg.Client, url: string) {
  const { rows } = await client.query<Server>(`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      pg_is_in_recovery() as is_standby, current_setting('default_transaction_read_only') = 'off' as is_writable,
      (select case source when 'database' then 'database ' || current_database()
         when 'user' then 'role ' || current_user
         when 'database user' then 'role ' || current_user || ' in database ' || current_database()
         else 'system' end from pg_settings where name = 'default_transaction_read_only') as read_only_in,
      array(select name from pg_settings where name in ('fsync', 'full_page_writes') and setting <> 'on') as unsafe,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max_connections,
      pg_backend_pid() as pid`)
  const [server] = rows as [Server]
  const place = databaseAddress(url)
  const alter = (...statements: string[]) => adminSql(url, ...statements, 'select pg_reload_conf()')
  const pool = context.read(['DATABASE_POOL_MAX', 'API_PROCESSES', 'WORKER_PROCESSES'])
  // API processes open 50 % more for searches, and a few are left for commands.
  const needed = Math.ceil(pool.DATABASE_POOL_MAX * (1.5 * pool.API_PROCESSES + pool.WORKER_PROCESSES + 2))
  return [
    must(
      server.number >= 150_000,
      `PostgreSQL on ${place} is version ${server.version}. Broadside needs 15 or newer.`,
      'apt-get install postgresql-15, then move the database with pg_upgradecluster.',
    ),
    must(
      !server.is_standby,
      `${place} is a standby in recovery, and accepts no writes.`,
      `Point the database URLs to the primary or to its proxy. If the primary is lost: patronictl failover, or ${adminSql(url, 'select pg_promote()')}`,
    ),
    must(
      server.is_writable || server.is_standby,
      `${place} accepts no writes: default_transaction_read_only is on.`,
      alter(`alter ${server.read_only_in} reset default_transaction_read_only`),
    ),
    must(
      (await otherBackend(context, url)) !== server.pid,
      `${place} is a pooler that lends a connection to each transaction, which breaks locks and prepared statements.`,
      'Set pool_mode = session in the pooler, or connect to PostgreSQL directly.',
    ),
    must(
      server.unsafe.length === 0 || !context.isProduction,
      `${server.unsafe.join(' and ')}: off. A power failure can destroy the database.`,
      alter(...server.unsafe.map((name) => `alter system reset ${name}`)),
    ),
    should(
      needed <= server.max_connections || !context.isProduction,
      `The processes may open ${needed} connections, but PostgreSQL allows only ${server.max_connections}.`,
      `${adminSql(url, `alter system set max_connections = ${needed + 30}`)}, then restart PostgreSQL. Or lower DATABASE_POOL_MAX.`,
    ),
  ]
}

/** Two open connections never have the same backend, unless a pooler lends it to each transaction. */
async function otherBackend(context: Context, url: string): Promise<number | undefined> {
  const { rows } = await withConnection(context, url, (client) =>
    client.query<{ pid: number }>('select pg_backend_pid() as pid'),
  )
  return rows[0]?.pid
}

/** Nothing breaks without a replica, because the primary answers. */
export const replicaProbe: Probe = {
  name: 'replica',
  expects: 'a replica, if set, answers, replicates and is not behind',
  look: async (context) => {
    const [api, desk, lag] = [
      'API_REPLICA_DATABASE_URL',
      'DESK_REPLICA_DATABASE_URL',
      'REPLICA_MAX_LAG_SECONDS',
    ] as const
    const settings = context.read([api, desk, lag])
    const urls = [...new Set([settings[api], settings[desk]])].filter((url) => url !== undefined)
    const found = await Promise.all(urls.map((url) => examineReplica(context, url, settings[lag])))
    return found.flat()
  },
}

async function examineReplica(context: Context, url: string, maxSeconds: number) {
  const place = `The replica ${databaseAddress(url)}`
  try {
    const { rows } = await withConnection(context, url, (client) =>
      client.query<{ is_replica: boolean; is_paused: boolean; seconds: number }>(`
        select pg_is_in_recovery() as is_replica,
          case when pg_is_in_recovery() then pg_is_wal_replay_paused() else false end as is_paused,
          case when pg_last_wal_receive_lsn() is distinct from pg_last_wal_replay_lsn()
            then extract(epoch from statement_timestamp() - pg_last_xact_replay_timestamp())::float8 end as seconds`),
    )
    const { is_replica = true, is_paused = false, seconds } = rows[0] ?? {}
    const again = 'Create it again from the primary with pg_basebackup -R, or remove the setting.'
    return [
      should(is_replica, `${place} is no replica: it accepts writes, and its data is its own.`, again),
      should(!is_paused, `${place} is paused.`, 'On the replica: select pg_wal_replay_resume()'),
      should(
        is_paused || (seconds ?? 0) <= maxSeconds,
        `${place} is ${Math.round(seconds ?? 0)} seconds behind. The primary answers instead.`,
        'Look at its disk and network, and for long queries on it.',
      ),
    ]
  } catch (error) {
    const cause = `${place} does not answer (${codeOf(error)}). The primary answers instead.`
    return [should(false, cause, 'Start the replica, or correct its URL.')]
  }
}

/** More than a slow answer explains, and less than anything notices. */
const noticedSeconds = 5

export const clockProbe: Probe = {
  name: 'clock',
  expects: 'this machine and the database have the same time, from a time server',
  look: async (context) => {
    const options = { poolMax: 1, applicationName: 'broadside doctor', acceptsReadOnly: true }
    await using connection = connect(await context.anyUrl(), options)
    const difference = await readClockDifference(connection.db, context.clock)
    const size = Math.abs(difference)
    const cause = `The clock of this machine is ${size.toFixed(0)} seconds ${difference > 0 ? 'ahead of' : 'behind'} the clock of the database`
    const fix = 'On both machines: apt-get install systemd-timesyncd && timedatectl set-ntp true'
    // Without systemd nobody can tell.
    const show = ['timedatectl', 'show', '--property=NTPSynchronized', '--value']
    const synchronized = await run(context, show).catch(() => undefined)
    return [
      must(size <= maxClockDifferenceSeconds, `${cause}: workers skip all scheduled jobs.`, fix),
      should(size <= noticedSeconds || size > maxClockDifferenceSeconds, `${cause}.`, fix),
      should(synchronized?.stdout.trim() !== 'no', 'No time server sets the clock of this machine.', fix),
    ]
  },
}
