import pg from 'pg'

/** The migrations grant privileges next to each table; see decisions/0011. */
export const databaseRoles = [
  'migrator',
  'api',
  'worker',
  'owner_page',
  'desk',
  'operator',
  'reader',
  'backup',
] as const
export type DatabaseRole = (typeof databaseRoles)[number]

export type RolePasswords = Record<DatabaseRole, string>

/**
 * Creates missing roles. All databases on a server share its roles, so existing roles may belong to another deployment.
 * Their passwords change only on request.
 */
export async function createRoles(
  admin: pg.Client,
  passwords: RolePasswords,
  existing: 'keep' | 'change',
): Promise<void> {
  for (const role of databaseRoles) {
    const name = pg.escapeIdentifier(`broadside_${role}`)
    const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [`broadside_${role}`])
    if (rowCount && existing === 'keep') continue
    const verb = rowCount ? 'alter' : 'create'
    await admin.query(
      `${verb} role ${name} login nosuperuser nocreatedb nocreaterole ${attributesOf(role)} password ${pg.escapeLiteral(passwords[role])}`,
    )
  }
  for (const [role, { memberOf }] of Object.entries(serverRights))
    await admin.query(`grant ${memberOf.join(', ')} to broadside_${role}`)
  // The migrator creates the tables, so the administrator must be able to transfer databases to it.
  await admin.query('grant broadside_migrator to current_user')
}

/**
 * What a role has beyond the privileges in schema.sql. A dump fails if a policy would hide rows from it. With rights to
 * read only, its role can still change nothing.
 */
export const serverRights = {
  backup: { attributes: ['bypassrls'], memberOf: ['pg_read_all_data', 'pg_read_all_settings'] },
} as const satisfies Partial<Record<DatabaseRole, { attributes: readonly string[]; memberOf: readonly string[] }>>

const attributesOf = (role: DatabaseRole) =>
  role in serverRights ? `${serverRights[role as keyof typeof serverRights].attributes.join(' ')} noreplication` : ''

/**
 * Creates a database that the migrator owns and in which nobody else can create objects. Sets these privileges for
 * every database, because PostgreSQL does not copy them from a template.
 */
export async function createDatabase(adminUrl: string, name: string, template?: string): Promise<void> {
  await asAdministrator(adminUrl, (admin) => create(admin, name, template))
  // A clone already has these privileges: PostgreSQL copies privileges on functions from a template.
  if (template) return
  await asAdministrator(urlFor(adminUrl, name), (admin) => admin.query(forbidLargeObjects))
  await allowBackups(urlFor(adminUrl, name))
}

/** Large objects are stored outside tables, and every role can create them by default. */
const forbidLargeObjects = `revoke execute on function
  lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea), lo_put(oid, bigint, bytea), lowrite(integer, bytea)
  from public`

async function create(admin: pg.Client, name: string, template?: string): Promise<void> {
  const database = pg.escapeIdentifier(name)
  const from = template ? `template ${pg.escapeIdentifier(template)} strategy file_copy` : `template template0`
  await admin.query(`create database ${database} owner broadside_migrator encoding 'UTF8' ${from}`)
  await admin.query(`revoke all on database ${database} from public`)
  await admin.query(`grant connect on database ${database} to ${allRoles}`)
}

const allRoles = databaseRoles.map((role) => `broadside_${role}`).join(', ')

/** Gives a role that is newer than the database its privileges on it. */
export async function admitNewRoles(adminUrl: string, name: string): Promise<void> {
  await asAdministrator(adminUrl, (admin) =>
    admin.query(`grant connect on database ${pg.escapeIdentifier(name)} to ${allRoles}`),
  )
  await allowBackups(urlFor(adminUrl, name))
}

/** What pgBackRest calls to begin and end a backup and to complete a WAL file. Each database has its own privileges. */
const backupFunctions =
  'pg_backup_start(text, boolean), pg_backup_stop(boolean), pg_switch_wal(), pg_create_restore_point(text)'

const allowBackups = (databaseUrl: string) =>
  asAdministrator(databaseUrl, (admin) =>
    admin.query(`grant execute on function ${backupFunctions} to broadside_backup`),
  )

export async function databaseExists(admin: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
  return Boolean(rowCount)
}

/** The URL of another database on the same server, for another role. */
export function urlFor(adminUrl: string, database: string, role?: { name: DatabaseRole; password: string }): string {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  if (role) {
    url.username = `broadside_${role.name}`
    url.password = role.password
  }
  return url.href
}

/** Runs `work` as the server administrator. */
export async function asAdministrator<Result>(
  url: string,
  work: (admin: pg.Client) => Promise<Result>,
): Promise<Result> {
  const admin = new pg.Client({ connectionString: url, application_name: 'broadside setup' })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}
