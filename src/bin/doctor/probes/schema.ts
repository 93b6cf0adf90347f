import { fullName, readMigrations } from '../../../platform/database/migration-files.ts'
import { assertSchemaIsCurrent, readAppliedMigrations, SchemaError } from '../../../platform/database/migrations.ts'
import { adminSql, queryRows, withAnyRole } from '../databases.ts'
import { type Context, must, type Probe, should } from '../probe.ts'

export const schemaProbe: Probe = {
  name: 'schema',
  expects: 'all migrations are applied; none is newer than the program, changed or half done',
  look: async (context) => {
    const known = await readMigrations()
    const { applied, isRefused } = await withAnyRole(context, async (client) => ({
      applied: await readAppliedMigrations(client),
      // Whether a process of this program would not start.
      isRefused: await assertSchemaIsCurrent(client, known).then(
        () => false,
        (error) => error instanceof SchemaError || Promise.reject(error),
      ),
    }))
    const find = (version: number) => applied.find((row) => row.version === version)
    const missing = known.filter(({ version }) => !find(version))
    const newer = applied.filter(({ version }) => version > (known.at(-1)?.version ?? 0)).map(fullName)
    const changed = known
      .filter(({ version, checksum }) => (find(version)?.checksum ?? checksum) !== checksum)
      .map(fullName)
    const expect = isRefused ? must : should
    const lacks = `The schema lacks ${missing.length} of ${known.length} migrations, from ${missing[0] && fullName(missing[0])}.`
    return [
      expect(
        missing.length === 0,
        applied.length === 0 ? 'The database has no schema: no migration is applied.' : lacks,
        context.broadside(missing.every(({ phase }) => phase === 'after') ? 'migrate --after-deploy' : 'migrate'),
      ),
      expect(
        newer.length === 0,
        `The schema is newer than this program: it has ${newer.join(', ')}.`,
        'Install the version of the program that applied it, then: systemctl restart broadside.target',
      ),
      must(
        changed.length === 0,
        `The files of migrations were changed after they were applied: ${changed.join(', ')}.`,
        `Copy them from the archive of the release: ${changed.map((name) => `migrations/${name}.sql`).join(' ')}`,
      ),
      ...(await examineLeftovers(context)),
    ]
  },
}

type Leftover = { what: 'index' | 'constraint' | 'migration'; name: string; of_table: string }

/** What `create index concurrently`, `not valid` and `migrate` leave behind or hold while they run. */
const leftovers = `
  select 'index' as what, n.nspname || '.' || c.relname as name, '' as of_table
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
  where not (i.indisvalid and i.indisready) and n.nspname in ('public', 'pgboss')
  union all
  select 'constraint', conname, conrelid::regclass::text from pg_constraint
  where not convalidated and connamespace = 'public'::regnamespace
  union all
  select 'migration', pid::text, '' from pg_stat_activity
  where datname = current_database() and application_name = 'broadside migrate'`

async function examineLeftovers(context: Context) {
  const url = await context.anyUrl()
  return (await queryRows<Leftover>(context, leftovers)).map(({ what, name, of_table }) => {
    const reindex = adminSql(url, `reindex index concurrently ${name}`)
    if (what === 'index') return must(false, `The index ${name} is invalid: its creation was interrupted.`, reindex)
    const validate = adminSql(url, `alter table ${of_table} validate constraint ${name}`)
    if (what === 'constraint')
      return should(false, `The constraint ${name} of ${of_table} does not yet hold for old rows.`, validate)
    return should(false, `A migration is running now (backend ${name}).`, 'Wait until it ends, then repeat this check.')
  })
}

/** A log that has stopped loses nothing, but new posts cannot be proven until an operator has looked at it. */
export const logProbe: Probe = {
  name: 'log',
  expects: 'the transparency log has not stopped',
  look: async (context) => {
    const [log] = await queryRows<{ reason: string | null }>(context, 'select stopped_reason as reason from log_head')
    const cause = `The transparency log has stopped: ${log?.reason}.`
    return [must(!log?.reason, cause, 'Change nothing and follow docs/runbooks/transparency-log.md.')]
  },
}
