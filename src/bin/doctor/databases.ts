import pg from 'pg'
import { type DatabaseRole, databaseRoles } from '../../platform/database/database-setup.ts'
import type { SettingName } from '../../platform/settings/settings.ts'
import { type Context, codeOf, NotChecked, type Patience } from './check.ts'

/** The setting with the URL of a role. */
export const urlSettingOf = (role: DatabaseRole) =>
  `${role.toUpperCase() as Uppercase<DatabaseRole>}_DATABASE_URL` as const satisfies SettingName

/** The roles whose URL is valid. An invalid one is reported by the check of the settings. */
export function roleUrls({ read }: Context): { role: DatabaseRole; url: string }[] {
  return databaseRoles.flatMap((role) => {
    try {
      const name = urlSettingOf(role)
      return [{ role, url: read([name])[name] }]
    } catch {
      return []
    }
  })
}

/** Runs `work` on one connection that is closed afterwards, and never waits long for a server. */
export async function withConnection<Result>(
  { timeoutMs }: Patience,
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const address = new URL(url)
  address.searchParams.delete('connect_timeout')
  const client = new pg.Client({
    connectionString: address.href,
    application_name: 'broadside doctor',
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs + 1_000,
  })
  // A connection that breaks rejects the query too.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    // A silent server would not acknowledge the end.
    client.end().catch(() => {})
  }
}

/** Those that may read most come first. */
const readers: readonly DatabaseRole[] = ['reader', 'operator', 'worker', 'api', 'owner_page', 'desk', 'migrator']

/** The URL of the first role that can log in. */
export async function usableUrl(context: Context): Promise<string> {
  const urls = roleUrls(context)
  for (const { url } of readers.flatMap((role) => urls.filter((one) => one.role === role))) {
    const isUsable = await withConnection(context, url, async () => true).catch(() => false)
    if (isUsable) return url
  }
  const cause = urls.length > 0 ? 'No role can log in to the database.' : 'No database URL is valid.'
  throw new NotChecked(cause, context.broadside('doctor --only settings,database,roles'))
}

/** Runs `work` as the first role that can log in. */
export const withAnyRole = async <Result>(context: Context, work: (client: pg.Client) => Promise<Result>) =>
  withConnection(context, await usableUrl(context), work)

/** `db.example:5432/broadside`, without user and password. */
export function databaseAddress(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  return `${hostname || searchParams.get('host') || 'localhost'}:${port || 5432}${pathname}`
}

export const isLocal = (url: string): boolean => {
  const { hostname } = new URL(url)
  return hostname === '' || hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}

/** How an administrator of the server runs this SQL. */
export function adminSql(url: string, sql: string): string {
  const { pathname, port } = new URL(url)
  const server = `-d ${pathname.slice(1)}${port && port !== '5432' ? ` -p ${port}` : ''}`
  const psql = isLocal(url) ? `sudo -u postgres psql ${server}` : 'psql "$ADMIN_DATABASE_URL"'
  return `${psql} -c '${sql.replaceAll("'", `'\\''`)}'`
}

type Unreachable = { cause: string; fix: string }

/** Why a connection failed before PostgreSQL looked at the role; undefined if PostgreSQL answered. */
export function explainUnreachable(error: unknown, url: string): Unreachable | undefined {
  const place = databaseAddress(url).replace(/\/.*/, '')
  const { hostname, port } = new URL(url)
  const start = isLocal(url)
    ? 'systemctl start postgresql'
    : `Start PostgreSQL on ${hostname}: systemctl start postgresql`
  const [code, message] = [codeOf(error), (error as Error).message]
  if (code === 'ECONNREFUSED' || code === 'ENOENT')
    return { cause: `Nothing listens on ${place}: PostgreSQL does not run, or has another port.`, fix: start }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return {
      cause: `The host name ${hostname} of the database has no address.`,
      fix: `Correct the host in the database URLs, or its DNS record: getent hosts ${hostname}`,
    }
  if (/timeout/i.test(message) || ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code))
    return {
      cause: `${place} does not answer in time: the server hangs, or a firewall drops the packets.`,
      fix: `pg_isready -h ${hostname} -p ${port || 5432} -t 5`,
    }
  if (/terminated|ECONNRESET/.test(`${message} ${code}`))
    return { cause: `${place} closes the connection: no PostgreSQL primary is behind it.`, fix: start }
  if (/^(57P|53)/.test(code))
    return { cause: `PostgreSQL on ${place} refuses connections: ${message}.`, fix: 'journalctl -u postgresql -n 50' }
  return undefined
}
