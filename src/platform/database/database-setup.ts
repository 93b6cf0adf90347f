import pg from 'pg'

/** Who may do what is written beside each table, in the migrations; see decisions/0011. */
export const databaseRoles = ['migrator', 'api', 'worker', 'owner_page', 'desk', 'operator', 'reader'] as const
export type DatabaseRole = (typeof databaseRoles)[number]

export type RolePasswords = Record<DatabaseRole, string>

/**
 * Creates the roles that are missing. Roles belong to the whole server: the ones that exist may be a deployment's, so
 * their passwords are changed only for whoever asks for that.
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
      `${verb} role ${name} login nosuperuser nocreatedb nocreaterole password ${pg.escapeLiteral(passwords[role])}`,
    )
  }
  // The migrating role makes the tables, so the administrator must be able to hand databases to it.
  await admin.query('grant broadside_migrator to current_user')
}

/**
 * Creates a database that belongs to the migrating role and that nobody else may create anything in.
 * Done for every database: PostgreSQL does not copy these rights from a template.
 */
export async function createDatabase(adminUrl: string, name: string, template?: string): Promise<void> {
  await asAdministrator(adminUrl, (admin) => create(admin, name, template))
  // Rights on functions are copied from a template, so a clone has these already.
  if (!template) await asAdministrator(urlFor(adminUrl, name), (admin) => admin.query(forbidLargeObjects))
}

/** Large objects are storage outside of every table, open to every role unless it is closed. */
const forbidLargeObjects = `revoke execute on function
  lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea), lo_put(oid, bigint, bytea), lowrite(integer, bytea)
  from public`

async function create(admin: pg.Client, name: string, template?: string): Promise<void> {
  const database = pg.escapeIdentifier(name)
  const from = template ? `template ${pg.escapeIdentifier(template)} strategy file_copy` : `template template0`
  await admin.query(`create database ${database} owner broadside_migrator encoding 'UTF8' ${from}`)
  const roles = databaseRoles.map((role) => `broadside_${role}`).join(', ')
  await admin.query(`revoke all on database ${database} from public`)
  await admin.query(`grant connect on database ${database} to ${roles}`)
}

export async function databaseExists(admin: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
  return Boolean(rowCount)
}

/** The same server, another database and another role. */
export function urlFor(adminUrl: string, database: string, role?: { name: DatabaseRole; password: string }): string {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  if (role) {
    url.username = `broadside_${role.name}`
    url.password = role.password
  }
  return url.href
}

/** Runs `work` as the server's administrator. */
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
