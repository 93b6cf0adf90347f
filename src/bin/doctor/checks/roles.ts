import type pg from 'pg'
import { type DatabaseRole, serverRights } from '../../../platform/database/database-setup.ts'
import { readMigrations } from '../../../platform/database/migration-files.ts'
import { readAppliedMigrations } from '../../../platform/database/migrations.ts'
import { type CheckFinding, type Context, codeOf, NotChecked, problem, type RunCheck, unchecked } from '../check.ts'
import { adminSql, explainUnreachable, roleUrls, urlSettingOf, withAnyRole, withConnection } from '../databases.ts'
import { actualGrants, compareGrants, expectedGrants, grantStatement } from '../grants.ts'

export const checkRoles: RunCheck = async (context) => {
  const urls = roleUrls(context)
  if (urls.length === 0) throw new NotChecked('No database URL is valid.', context.broadside('doctor --only settings'))
  const logins = (await Promise.all(urls.map((one) => checkLogin(context, one)))).flat()
  const url = String(urls[0]?.url)
  const rights = await withAnyRole(context, async (client) => [
    ...(await checkAttributes(context, client, url)),
    ...(await checkGrants(context, client, url)),
  ]).catch((error: unknown) => {
    // If none can log in, the logins say why.
    if (error instanceof NotChecked && logins.length > 0) return []
    throw error
  })
  // A missing role is found twice.
  const findings = [...logins, ...rights.filter(({ cause }) => !logins.some((login) => login.cause === cause))]
  return { summary: `${urls.length} roles can log in and have the privileges of the schema, no more.`, findings }
}

async function checkLogin(
  context: Context,
  { role, url }: { role: DatabaseRole; url: string },
): Promise<CheckFinding[]> {
  const setting = urlSettingOf(role)
  const name = `broadside_${role}`
  const user = decodeURIComponent(new URL(url).username)
  const prepare = context.broadside('database prepare')
  if (user !== name)
    return [problem(`${setting} logs in as ${user}, not as ${name}.`, `Use the user ${name} in ${setting}.`)]
  try {
    await withConnection(context, url, async () => {})
    return []
  } catch (error) {
    const code = codeOf(error)
    if (code === '28P01') return [problem(await explainPassword(context, name, setting), prepare)]
    if (code === '28000' && /does not exist/.test(String(error)))
      return [problem(`The role ${name} does not exist.`, prepare)]
    if (code === '28000' && /not permitted to log in/.test(String(error)))
      return [problem(`The role ${name} is not permitted to log in.`, adminSql(url, `alter role ${name} login`))]
    if (code === '28000')
      return [
        problem(
          `pg_hba.conf of the server does not let ${name} in from this machine.`,
          `Add a line to pg_hba.conf: host ${new URL(url).pathname.slice(1)} ${name} samenet scram-sha-256. Then: systemctl reload postgresql`,
        ),
      ]
    if (code === '42501')
      return [
        problem(
          `The role ${name} may not connect to the database.`,
          adminSql(url, `grant connect on database ${new URL(url).pathname.slice(1)} to ${name}`),
        ),
      ]
    if (code === '3D000') return [problem(`The database of ${setting} does not exist.`, prepare)]
    if (explainUnreachable(error, url))
      throw new NotChecked('The database cannot be reached.', context.broadside('doctor --only database'))
    throw error
  }
}

/** PostgreSQL says the same for a wrong password and a missing role; another role knows which it is. */
async function explainPassword(context: Context, name: string, setting: string): Promise<string> {
  const exists = await withAnyRole(context, async (client) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name])
    return Boolean(rowCount)
  }).catch(() => undefined)
  if (exists === undefined) return `The role ${name} does not exist, or the password in ${setting} is wrong.`
  return exists ? `The password of ${name} in ${setting} is wrong.` : `The role ${name} does not exist.`
}

type Attributes = { name: string; too_much: string[]; member_of: string[] }

/** What no role of the program needs, beyond its grants. */
async function checkAttributes({ broadside }: Context, client: pg.Client, url: string): Promise<CheckFinding[]> {
  const names = roleNames()
  const { rows } = await client.query<Attributes>(
    `select r.rolname as name,
       array_remove(array[case when r.rolsuper then 'superuser' end, case when r.rolcreatedb then 'createdb' end,
         case when r.rolcreaterole then 'createrole' end, case when r.rolreplication then 'replication' end,
         case when r.rolbypassrls then 'bypassrls' end], null) as too_much,
       array(select g.rolname::text from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid)
         as member_of
     from pg_roles r where r.rolname = any ($1)`,
    [names],
  )
  const missing = names.filter((name) => !rows.some((row) => row.name === name))
  return [
    ...missing.map((name) => problem(`The role ${name} does not exist.`, broadside('database prepare'))),
    ...rows.flatMap(({ name, too_much, member_of }) => [
      ...too_much
        .filter(isMoreThan(name, 'attributes'))
        .map((right) =>
          problem(
            `The role ${name} has the attribute ${right}, which it must not have.`,
            adminSql(url, `alter role ${name} no${right}`),
          ),
        ),
      ...member_of
        .filter(isMoreThan(name, 'memberOf'))
        .map((other) =>
          problem(
            `The role ${name} is a member of ${other}, and has all its privileges.`,
            adminSql(url, `revoke ${other} from ${name}`),
          ),
        ),
    ]),
  ]
}

const isMoreThan = (role: string, rights: 'attributes' | 'memberOf') => {
  const own = Object.entries(serverRights).find(([name]) => `broadside_${name}` === role)?.[1][rights] ?? []
  return (right: string) => !own.some((one) => one === right)
}

/** The roles that own or are granted something in schema.sql. */
function roleNames(): string[] {
  const granted = [...expectedGrants().grants].map((grant) => grant.slice(0, grant.indexOf(' ')))
  return [...new Set(['broadside_migrator', ...granted])]
}

const maxListed = 5

async function checkGrants(context: Context, client: pg.Client, url: string): Promise<CheckFinding[]> {
  if (!(await isCurrent(client)))
    return [
      unchecked(
        'The privileges were not compared, because the schema is not the one of this program.',
        context.broadside('migrate'),
      ),
    ]
  const { missing, extra } = compareGrants(expectedGrants(), await actualGrants(client))
  const describe = (grant: string, verb: 'grant' | 'revoke') => {
    const [who = '', ...rest] = grant.split(' ')
    const cause =
      verb === 'grant'
        ? `${who} lacks ${rest.join(' ')}.`
        : `${who} has ${rest.join(' ')}, which the schema does not give.`
    return problem(cause, adminSql(url, grantStatement(verb, grant)))
  }
  const all = [...extra.map((grant) => describe(grant, 'revoke')), ...missing.map((grant) => describe(grant, 'grant'))]
  const rest = all.length - maxListed
  if (rest <= 0) return all
  return [
    ...all.slice(0, maxListed),
    problem(`${rest} more privileges differ.`, `Fix these first, then: ${context.broadside('doctor --only roles')}`),
  ]
}

async function isCurrent(client: pg.Client): Promise<boolean> {
  const newest = (await readMigrations()).at(-1)?.version
  const applied = await readAppliedMigrations(client).catch(() => [])
  return Math.max(0, ...applied.map(({ version }) => version)) === newest
}
