import { readFileSync } from 'node:fs'
import type pg from 'pg'
import type { Migration } from '../../platform/database/migration-files.ts'

/** The schema after all migrations, with the privileges of each role. */
const schemaFile = new URL('../../../schema.sql', import.meta.url)

/** `object`: its kind and name, such as `table public.posts`. */
type Grant = { grantee: string; privilege: string; object: string; column?: string | undefined }

/** What must be granted or revoked: a role’s privileges on one object, as SQL. */
export type Difference = { verb: 'grant' | 'revoke'; grantee: string; privileges: string; object: string }

const plain = (name: string) => name.replaceAll('"', '')

/** The privileges that schema.sql gives, and the functions that it closes to everybody else. */
export function expectedGrants(text = readFileSync(schemaFile, 'utf8')) {
  const statements = text.matchAll(/^GRANT (.+) ON (TABLE|SEQUENCE|FUNCTION|SCHEMA) (.+) TO (\w+);$/gm)
  const grants: Grant[] = [...statements].flatMap(([, privileges = '', kind = '', name = '', grantee = '']) =>
    // Either `SELECT,INSERT`, or `UPDATE(one),UPDATE(other)`. A function has one privilege, which pg_dump calls ALL.
    [...privileges.matchAll(/(\w+)(?:\(([^)]+)\))?/g)].map(([, privilege = '', column]) => ({
      grantee,
      privilege: kind === 'FUNCTION' && privilege === 'ALL' ? 'EXECUTE' : privilege,
      object: `${kind.toLowerCase()} ${plain(name)}`,
      column: column && plain(column),
    })),
  )
  const closed = text.matchAll(/^REVOKE ALL ON FUNCTION (.+) FROM PUBLIC;$/gm)
  return { grants, closed: new Set([...closed].map(([, name = '']) => `function ${plain(name)}`)) }
}

/** The privileges that our roles and PUBLIC have in this database. The owner of an object is not listed. */
export async function actualGrants(client: pg.Client): Promise<Grant[]> {
  // An empty search path makes PostgreSQL print full names, as in schema.sql.
  await client.query("set search_path = ''")
  const { rows } = await client.query<Grant>(`
    with objects as (
      select case c.relkind when 'S' then 'sequence ' else 'table ' end || n.nspname || '.' || c.relname as object,
        null::name as col, c.relowner as owner, c.relacl as acl
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p', 'v', 'm', 'S')
      union all
      select 'table ' || n.nspname || '.' || c.relname, a.attname, c.relowner, a.attacl
      from pg_catalog.pg_attribute a
        join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'pgboss') and a.attacl is not null and not a.attisdropped
      union all
      select 'function ' || n.nspname || '.' || p.proname
          || '(' || pg_catalog.pg_get_function_identity_arguments(p.oid) || ')',
        null, p.proowner, coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))
      from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('public', 'pgboss')
        or (n.nspname = 'pg_catalog' and (
          p.proname in ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_put', 'lowrite')
          or p.proacl::text like '%broadside\\_%'))
      union all
      select 'schema ' || n.nspname, null, n.nspowner, n.nspacl
      from pg_catalog.pg_namespace n where n.nspname in ('public', 'pgboss')
    )
    select coalesce(r.rolname, 'PUBLIC') as grantee, x.privilege_type as privilege, o.object, o.col as column
    from objects o cross join lateral pg_catalog.aclexplode(o.acl) x
      left join pg_catalog.pg_roles r on r.oid = x.grantee
    where x.grantee <> o.owner and (x.grantee = 0 or r.rolname like 'broadside\\_%')`)
  return rows
}

/** What differs, except on objects that a waiting migration names: it changes their privileges or creates them. */
export function compareGrants(
  expected: ReturnType<typeof expectedGrants>,
  actual: readonly Grant[],
  waiting: readonly Pick<Migration, 'sql'>[],
): Difference[] {
  const [wanted, found] = [new Set(expected.grants.map(keyOf)), new Set(actual.map(keyOf))]
  const isNamed = ({ object }: Grant) => waiting.some(({ sql }) => wordsOf(sql).has(bareName(object)))
  const extra = actual.filter((grant) => !wanted.has(keyOf(grant)) && !isUsual(grant, expected.closed))
  const missing = expected.grants.filter((grant) => !found.has(keyOf(grant)))
  const differ = (verb: Difference['verb'], grants: readonly Grant[]) => {
    const groups = Map.groupBy(
      grants.filter((grant) => !isNamed(grant)),
      ({ grantee, object }) => `${grantee} ${object}`,
    )
    return [...groups.values()].map((group) => {
      const [{ grantee, object }] = group as [Grant]
      return { verb, grantee: grantee.toLowerCase(), object, privileges: privilegesOf(group) }
    })
  }
  return [...differ('revoke', extra), ...differ('grant', missing)]
}

const keyOf = ({ grantee, privilege, object, column = '' }: Grant) =>
  `${grantee} ${privilege} ${object} ${column ?? ''}`

/** What everybody may do in a new database: use the schema public, and call functions that are not closed. */
const isUsual = ({ grantee, privilege, object }: Grant, closed: ReadonlySet<string>): boolean =>
  grantee === 'PUBLIC' &&
  (privilege === 'USAGE' ? object === 'schema public' : privilege === 'EXECUTE' && !closed.has(object))

/** `posts` of `table public.posts`, and `publish` of `function public.publish(text)`. */
const bareName = (object: string) => object.slice(object.indexOf('.') + 1).replace(/\(.*/s, '')
const wordsOf = (sql: string) => new Set(sql.match(/\w+/g))

/** `select (one, other), insert`. */
function privilegesOf(grants: readonly Grant[]): string {
  const byPrivilege = Map.groupBy(grants, ({ privilege }) => privilege.toLowerCase())
  return [...byPrivilege]
    .map(([privilege, group]) => {
      const columns = group.flatMap(({ column }) => column ?? [])
      return columns.length > 0 ? `${privilege} (${columns.join(', ')})` : privilege
    })
    .join(', ')
}

export const statementFor = ({ verb, privileges, object, grantee }: Difference): string =>
  `${verb} ${privileges} on ${object} ${verb === 'grant' ? 'to' : 'from'} ${grantee}`
