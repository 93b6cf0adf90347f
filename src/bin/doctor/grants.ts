import { readFileSync } from 'node:fs'
import type pg from 'pg'

/** The schema after all migrations, with the privileges of each role. */
const schemaFile = new URL('../../../schema.sql', import.meta.url)

/** Lines such as `broadside_api SELECT on table public.posts(id)`. */
export type Grants = Set<string>

const line = (grantee: string, privilege: string, object: string) => `${grantee} ${privilege} on ${object}`

/** The privileges that schema.sql gives, and the functions that it closes to everybody else. */
export function expectedGrants(text = readFileSync(schemaFile, 'utf8')) {
  const grants: Grants = new Set()
  for (const [, privileges = '', kind = '', name = '', grantee = ''] of text.matchAll(
    /^GRANT (.+) ON (TABLE|SEQUENCE|FUNCTION|SCHEMA) (.+) TO (\w+);$/gm,
  )) {
    // Either `SELECT,INSERT`, or `UPDATE(one),UPDATE(other)`.
    for (const [, privilege = '', column] of privileges.matchAll(/(\w+)(?:\(([^)]+)\))?/g))
      grants.add(line(grantee, allOf(kind, privilege), objectName(kind, name, column)))
  }
  const closed = [...text.matchAll(/^REVOKE ALL ON FUNCTION (.+) FROM PUBLIC;$/gm)].map(([, name = '']) =>
    objectName('FUNCTION', name),
  )
  return { grants, closed: new Set(closed) }
}

/** A function has one privilege, which pg_dump calls ALL. */
const allOf = (kind: string, privilege: string) => (kind === 'FUNCTION' && privilege === 'ALL' ? 'EXECUTE' : privilege)

function objectName(kind: string, name: string, column?: string): string {
  const what = `${kind.toLowerCase()} ${name.replaceAll('"', '')}`
  return column ? `${what}(${column.replaceAll('"', '')})` : what
}

type Row = { grantee: string; privilege: string; kind: string; name: string; col: string | null }

/** The privileges that our roles and PUBLIC have in this database. The owner of an object is not listed. */
export async function actualGrants(client: pg.Client): Promise<Grants> {
  // An empty search path makes PostgreSQL print full names, as in schema.sql.
  await client.query("set search_path = ''")
  const { rows } = await client.query<Row>(`
    with objects as (
      select case c.relkind when 'S' then 'SEQUENCE' else 'TABLE' end as kind, n.nspname || '.' || c.relname as name,
        null::name as col, c.relowner as owner, c.relacl as acl
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p', 'v', 'm', 'S')
      union all
      select 'TABLE', n.nspname || '.' || c.relname, a.attname, c.relowner, a.attacl
      from pg_catalog.pg_attribute a
        join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'pgboss') and a.attacl is not null and not a.attisdropped
      union all
      select 'FUNCTION', n.nspname || '.' || p.proname || '(' || pg_catalog.pg_get_function_identity_arguments(p.oid) || ')',
        null, p.proowner, coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))
      from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('public', 'pgboss')
        or (n.nspname = 'pg_catalog' and (
          p.proname in ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_put', 'lowrite')
          or p.proacl::text like '%broadside\\_%'))
      union all
      select 'SCHEMA', n.nspname, null, n.nspowner, n.nspacl
      from pg_catalog.pg_namespace n where n.nspname in ('public', 'pgboss')
    )
    select coalesce(r.rolname, 'PUBLIC') as grantee, x.privilege_type as privilege, o.kind, o.name, o.col
    from objects o cross join lateral pg_catalog.aclexplode(o.acl) x
      left join pg_catalog.pg_roles r on r.oid = x.grantee
    where x.grantee <> o.owner and (x.grantee = 0 or r.rolname like 'broadside\\_%')`)
  return new Set(
    rows.map(({ grantee, privilege, kind, name, col }) =>
      line(grantee, privilege, objectName(kind, name, col ?? undefined)),
    ),
  )
}

export type GrantDifference = { missing: string[]; extra: string[] }

/** The owner of the schema has every privilege without a grant. */
export function compareGrants(expected: ReturnType<typeof expectedGrants>, actual: Grants): GrantDifference {
  const missing = [...expected.grants].filter((grant) => !actual.has(grant))
  const extra = [...actual].filter((grant) => !expected.grants.has(grant) && !isUsual(grant, expected.closed))
  return { missing, extra }
}

/** What everybody may do in a new database: use the schema public, and call functions that are not closed. */
function isUsual(grant: string, closed: ReadonlySet<string>): boolean {
  if (grant === line('PUBLIC', 'USAGE', 'schema public')) return true
  const [, called] = /^PUBLIC EXECUTE on (function .*)$/.exec(grant) ?? []
  return called !== undefined && !closed.has(called)
}

/** The statement that adds or removes a privilege. */
export function grantStatement(verb: 'grant' | 'revoke', grant: string): string {
  const [, grantee = '', privilege = '', kind = '', name = ''] = /^(\w+) (\w+) on (\w+) (.+)$/.exec(grant) ?? []
  const at = kind === 'table' ? name.indexOf('(') : -1
  const [object, columns] = at < 0 ? [name, ''] : [name.slice(0, at), ` ${name.slice(at)}`]
  const direction = verb === 'grant' ? 'to' : 'from'
  return `${verb} ${privilege.toLowerCase()}${columns} on ${kind} ${object} ${direction} ${grantee.toLowerCase()}`
}
