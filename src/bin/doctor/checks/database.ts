import type pg from 'pg'
import { type CheckFinding, type Context, codeOf, NotChecked, problem, type RunCheck, warning } from '../check.ts'
import { adminSql, databaseAddress, explainUnreachable, roleUrls, withConnection } from '../databases.ts'

const oldestVersion = 150_000

export const checkDatabase: RunCheck = async (context) => {
  const urls = roleUrls(context)
  // Processes may be told to use different servers by mistake.
  const places = new Map(
    urls.map(({ url }) => [
      databaseAddress(url),
      urls.filter((one) => databaseAddress(one.url) === databaseAddress(url)),
    ]),
  )
  if (places.size === 0) throw new NotChecked('No database URL is valid.', context.broadside('doctor --only settings'))
  const outcomes = await Promise.all([...places.values()].map((roles) => checkServer(context, roles)))
  const spread =
    places.size > 1
      ? [
          warning(
            `The database URLs name ${places.size} databases: ${[...places.keys()].join(', ')}.`,
            'Use the same host, port and database in all of them, unless each leads to the same server.',
          ),
        ]
      : []
  return {
    summary: outcomes.map(({ summary }) => summary).join(' '),
    findings: [...outcomes.flatMap(({ findings }) => findings), ...spread],
  }
}

async function checkServer(context: Context, roles: readonly { url: string }[]) {
  let refusal: unknown
  for (const { url } of roles) {
    try {
      return await withConnection(context, url, (client) => examine(context, client, url))
    } catch (error) {
      refusal = error
      const unreachable = explainUnreachable(error, url)
      if (unreachable) return { summary: '', findings: [problem(unreachable.cause, unreachable.fix)] }
      // A wrong password or role: another one may work, and the check of the roles explains it.
      if (!/^28|^42501|^3D000/.test(codeOf(error))) throw error
    }
  }
  const place = databaseAddress(String(roles[0]?.url))
  const cause =
    codeOf(refusal) === '3D000' ? `The database of ${place} does not exist.` : `No role can log in to ${place}.`
  return { summary: '', findings: [problem(cause, context.broadside('database prepare'))] }
}

type Server = {
  version: string
  number: number
  is_standby: boolean
  is_read_only: string
  fsync: string
  full_page_writes: string
  max_connections: number
  reserved: number
}

async function examine(context: Context, client: pg.Client, url: string) {
  const { rows } = await client.query<Server>(`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') as is_read_only,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
      current_setting('max_connections')::int as max_connections,
      current_setting('superuser_reserved_connections')::int as reserved`)
  const server = rows[0] as Server
  const place = databaseAddress(url)
  const findings: CheckFinding[] = []
  if (server.number < oldestVersion)
    findings.push(
      problem(
        `PostgreSQL on ${place} is version ${server.version}. Broadside needs 15 or newer.`,
        'apt-get install postgresql-15, then move the database with pg_upgradecluster.',
      ),
    )
  if (server.is_standby)
    findings.push(
      problem(
        `${place} is a standby in recovery, and accepts no writes.`,
        `Point the database URLs to the primary or to its proxy. If the primary is lost: patronictl failover, or ${adminSql(url, 'select pg_promote()')}`,
      ),
    )
  else if (server.is_read_only === 'on')
    findings.push(
      problem(`${place} accepts no writes: default_transaction_read_only is on.`, await readOnlyFix(client, url)),
    )
  if (context.isProduction) findings.push(...durability(server, url), ...connections(context, server, url))
  return { summary: `PostgreSQL ${server.version} on ${place} accepts writes.`, findings }
}

/** Names the level at which writes were turned off. */
async function readOnlyFix(client: pg.Client, url: string): Promise<string> {
  const { rows } = await client.query<{ database: string; role: string | null; source: string }>(
    `select current_database() as database, source,
       (select r.rolname from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
        where 'default_transaction_read_only=on' = any (s.setconfig) and r.rolname = current_user limit 1) as role
     from pg_settings where name = 'default_transaction_read_only'`,
  )
  const { database, role, source } = rows[0] ?? { database: '', role: null, source: '' }
  if (role) return adminSql(url, `alter role ${role} reset default_transaction_read_only`)
  if (source === 'database') return adminSql(url, `alter database ${database} reset default_transaction_read_only`)
  return `${adminSql(url, 'alter system reset default_transaction_read_only')} -c 'select pg_reload_conf()'`
}

function durability({ fsync, full_page_writes }: Server, url: string): CheckFinding[] {
  return Object.entries({ fsync, full_page_writes })
    .filter(([, value]) => value !== 'on')
    .map(([name]) =>
      problem(
        `${name} is off: a power failure can destroy the database.`,
        `${adminSql(url, `alter system reset ${name}`)} -c 'select pg_reload_conf()'`,
      ),
    )
}

/** API processes open half as many again for searches. A few are left for commands. */
function connections({ read }: Context, { max_connections, reserved }: Server, url: string): CheckFinding[] {
  const {
    DATABASE_POOL_MAX: pool,
    API_PROCESSES,
    WORKER_PROCESSES,
  } = read(['DATABASE_POOL_MAX', 'API_PROCESSES', 'WORKER_PROCESSES'])
  const needed = Math.ceil(pool * (1.5 * API_PROCESSES + WORKER_PROCESSES + 2))
  const available = max_connections - reserved
  if (needed <= available) return []
  return [
    warning(
      `The processes may open ${needed} connections, and PostgreSQL allows ${available}.`,
      `${adminSql(url, `alter system set max_connections = ${needed + reserved + 20}`)}, then: systemctl restart postgresql. Or lower DATABASE_POOL_MAX.`,
    ),
  ]
}
