import { serverRights } from '../../../platform/database/database-setup.ts'
import { readMigrations } from '../../../platform/database/migration-files.ts'
import { readAppliedMigrations } from '../../../platform/database/migrations.ts'
import { adminSql, queryRows, roleUrls, urlSettingOf, withAnyRole, withConnection } from '../databases.ts'
import { actualGrants, compareGrants, expectedGrants, statementFor } from '../grants.ts'
import { type Context, canTell, codeOf, must, NotChecked, type Probe } from '../probe.ts'
import { isRoleRefused } from './database.ts'

export const rolesProbe: Probe = {
  name: 'roles',
  expects: 'each database role exists, can log in and has no surplus right on the server',
  look: async (context) => {
    const urls = roleUrls(context)
    if (urls.length === 0)
      throw new NotChecked('No database URL is valid.', context.broadside('doctor --only settings'))
    const logins = []
    for (const { role, url } of urls) logins.push(await logIn(context, `broadside_${role}`, urlSettingOf(role), url))
    const refused = logins.filter((login) => login !== undefined)
    // If none can log in, the logins say why.
    const rights = await examineRights(context).catch((error: unknown) => {
      if (error instanceof NotChecked && refused.length > 0) return []
      throw error
    })
    // A missing role is found twice.
    return [...refused, ...rights.filter((one) => !refused.some(({ cause }) => cause === one?.cause))]
  },
}

async function logIn(context: Context, role: string, setting: string, url: string) {
  const { username, pathname } = new URL(url)
  const database = pathname.slice(1)
  if (username !== role)
    return must(false, `${setting} logs in as ${username}, not as ${role}.`, `Use the user ${role} in ${setting}.`)
  try {
    return await withConnection(context, url, async () => undefined)
  } catch (error) {
    const code = codeOf(error)
    if (!isRoleRefused(code))
      throw new NotChecked('The database cannot be reached.', context.broadside('doctor --only database'))
    const { broadside } = context
    const canLogIn = code.startsWith('28') ? await mayLogIn(context, role) : true
    const hba = `Add a line to pg_hba.conf: host ${database} ${role} samenet scram-sha-256. Then: systemctl reload postgresql`
    const [cause, fix] =
      canLogIn === 'missing'
        ? [`The role ${role} does not exist.`, broadside('database prepare')]
        : canLogIn === false
          ? [`The role ${role} is not permitted to log in.`, adminSql(url, `alter role ${role} login`)]
          : ({
              '28P01': [`The password of ${role} in ${setting} is wrong.`, broadside('database prepare')],
              '28000': [`pg_hba.conf of the server does not let ${role} in from this machine.`, hba],
              '3D000': [`The database of ${setting} does not exist.`, broadside('database prepare')],
              '42501': [
                `The role ${role} may not connect to the database.`,
                adminSql(url, `grant connect on database ${database} to ${role}`),
              ],
            }[code] ?? [`${role} cannot log in (${code}).`, broadside('database prepare')])
    return must(false, String(cause), String(fix))
  }
}

/** PostgreSQL says the same for a wrong password and a missing role; another role knows which it is. */
const mayLogIn = (context: Context, role: string) =>
  queryRows<{ can: boolean }>(context, 'select rolcanlogin as can from pg_roles where rolname = $1', [role]).then(
    ([row]) => row?.can ?? 'missing',
    () => undefined,
  )

/** What the roles of schema.sql have on the server, beyond what they need. */
async function examineRights(context: Context) {
  const url = await context.anyUrl()
  const rows = await queryRows<{ name: string; exists: boolean; attributes: string[]; member_of: string[] }>(
    context,
    `select name, r.oid is not null as exists,
       array_remove(array[case when r.rolsuper then 'superuser' end, case when r.rolcreatedb then 'createdb' end,
         case when r.rolcreaterole then 'createrole' end, case when r.rolreplication then 'replication' end,
         case when r.rolbypassrls then 'bypassrls' end], null) as attributes,
       array(select g.rolname::text from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid)
         as member_of
     from unnest($1::text[]) as name left join pg_roles r on r.rolname = name`,
    [[...new Set(['broadside_migrator', ...expectedGrants().grants.map(({ grantee }) => grantee)])]],
  )
  return rows.flatMap(({ name, exists, attributes, member_of }) => {
    const own = Object.entries(serverRights).find(([role]) => `broadside_${role}` === name)?.[1]
    const beyond = (all: string[], allowed: readonly string[] = []) => all.filter((one) => !allowed.includes(one))
    const [surplus, groups] = [beyond(attributes, own?.attributes), beyond(member_of, own?.memberOf)]
    const withdraw = adminSql(url, `alter role ${name} ${surplus.map((right) => `no${right}`).join(' ')}`)
    const leave = adminSql(url, `revoke ${groups.join(', ')} from ${name}`)
    return [
      must(exists, `The role ${name} does not exist.`, context.broadside('database prepare')),
      must(surplus.length === 0, `The role ${name} must not have the attribute ${surplus.join(' and ')}.`, withdraw),
      must(
        groups.length === 0,
        `The role ${name} is a member of ${groups.join(' and ')}, and has its privileges.`,
        leave,
      ),
    ]
  })
}

export const grantsProbe: Probe = {
  name: 'grants',
  expects: 'each database role has exactly the privileges that the schema gives it',
  look: async (context) => {
    const [url, known] = [await context.anyUrl(), await readMigrations()]
    const { applied, actual } = await withAnyRole(context, async (client) => ({
      applied: await readAppliedMigrations(client),
      actual: await actualGrants(client),
    }))
    const isOurs = applied.length > 0 && applied.every(({ version }) => version <= (known.at(-1)?.version ?? 0))
    const why = 'The privileges were not compared, because the schema is not the one of this program.'
    if (!isOurs) return [canTell(false, why, context.broadside('doctor --only schema'))]
    const waiting = known.filter(({ version }) => !applied.some((row) => row.version === version))
    const differences = compareGrants(expectedGrants(), actual, waiting)
    const causes = differences.map(
      ({ verb, grantee, privileges, object }) =>
        `${grantee} ${verb === 'grant' ? 'lacks' : 'must not have'} ${privileges} on ${object}.`,
    )
    return [must(differences.length === 0, causes.join('\n'), adminSql(url, ...differences.map(statementFor)))]
  },
}
