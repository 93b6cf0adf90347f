import pg from 'pg'
import { type DatabaseRole, databaseRoles } from '../../platform/database/database-setup.ts'
import type { SettingName } from '../../platform/settings/settings.ts'
import { inTime, NoAnswer } from './ask.ts'
import { type Context, codeOf, NotChecked } from './probe.ts'

/** The setting with the URL of a role. */
export const urlSettingOf = (role: DatabaseRole) =>
  `${role.toUpperCase() as Uppercase<DatabaseRole>}_DATABASE_URL` as const satisfies SettingName

/** The roles whose URL is valid. An invalid one is reported by the probe of the settings. */
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

/** Runs `work` on a connection that is closed afterwards. Rejects with PostgreSQL's code, the system's, or `NoAnswer`. */
export const withConnection = <Result>(
  { timeoutMs }: Pick<Context, 'timeoutMs'>,
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> =>
  inTime(timeoutMs, async (late) => {
    const address = new URL(url)
    address.searchParams.delete('connect_timeout')
    const client = new pg.Client({ connectionString: address.href, application_name: 'broadside doctor' })
    // A connection that breaks rejects the query too.
    client.on('error', () => {})
    const end = () => void client.end().catch(() => {})
    late.addEventListener('abort', end)
    try {
      // The driver gives no code when the server closes the connection.
      await client.connect().catch((error) => Promise.reject(codeOf(error) ? error : connectionClosed(error)))
      return await work(client)
    } finally {
      end()
    }
  })

const connectionClosed = (cause: unknown) =>
  Object.assign(new Error('closed the connection', { cause }), { code: 'ECONNRESET' })

/** Those that may read most come first. */
const readers: readonly DatabaseRole[] = ['reader', 'operator', 'worker', 'api', 'owner_page', 'desk', 'migrator']

/** The URL of the first role that can log in. */
export async function findUsableUrl(context: Context): Promise<string> {
  const urls = roleUrls(context)
  const answers = (url: string) =>
    withConnection(context, url, async () => true).catch((error) => error instanceof NoAnswer && 'silent')
  for (const { url } of readers.flatMap((role) => urls.filter((one) => one.role === role))) {
    const answer = await answers(url)
    if (answer === true) return url
    if (answer === 'silent') break
  }
  throw new NotChecked(
    'No role can log in to the database.',
    context.broadside('doctor --only settings,database,roles'),
  )
}

/** Runs `work` as the first role that can log in. */
export const withAnyRole = async <Result>(context: Context, work: (client: pg.Client) => Promise<Result>) =>
  withConnection(context, await context.anyUrl(), work)

export const queryRows = async <Row extends pg.QueryResultRow>(context: Context, sql: string, values?: unknown[]) =>
  (await withAnyRole(context, (client) => client.query<Row>(sql, values))).rows

/** `db.example:5432/broadside`, without user and password. */
export function databaseAddress(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  return `${hostname || searchParams.get('host') || 'localhost'}:${port || 5432}${pathname}`
}

export const isLocal = (url: string): boolean => {
  const { hostname } = new URL(url)
  return hostname === '' || hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}

/** How an administrator of the server runs these statements. */
export function adminSql(url: string, ...statements: string[]): string {
  const { pathname, port } = new URL(url)
  const server = `-d ${pathname.slice(1)}${port && port !== '5432' ? ` -p ${port}` : ''}`
  const psql = isLocal(url) ? `runuser -u postgres -- psql ${server}` : 'psql "$ADMIN_DATABASE_URL"'
  return [psql, ...statements.map((sql) => `-c '${sql.replaceAll("'", `'\\''`)}'`)].join(' ')
}
