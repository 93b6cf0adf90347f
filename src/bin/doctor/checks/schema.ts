import type pg from 'pg'
import { type Migration, readMigrations } from '../../../platform/database/migration-files.ts'
import {
  type AppliedMigration,
  assertSchemaIsCurrent,
  readAppliedMigrations,
  SchemaError,
} from '../../../platform/database/migrations.ts'
import { type CheckFinding, type Context, problem, type RunCheck, warning } from '../check.ts'
import { adminSql, roleUrls, withAnyRole } from '../databases.ts'

export const checkSchema: RunCheck = async (context) => {
  const known = await readMigrations()
  const url = String(roleUrls(context)[0]?.url)
  return await withAnyRole(context, async (client) => {
    const applied = await readAppliedMigrations(client)
    const findings = [
      ...compare(context, known, applied, await isRefused(client, known)),
      ...(await unfinished(client, url)),
      ...(await running(client)),
    ]
    return { summary: `All ${known.length} migrations are applied.`, findings }
  })
}

/** Whether a process would not start with this schema. */
async function isRefused(client: pg.Client, known: readonly Migration[]): Promise<boolean> {
  try {
    await assertSchemaIsCurrent(client, known)
    return false
  } catch (error) {
    if (error instanceof SchemaError) return true
    throw error
  }
}

function compare(
  { broadside }: Context,
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
  isWrong: boolean,
): CheckFinding[] {
  const report = isWrong ? problem : warning
  const newest = known.at(-1)?.version ?? 0
  const missing = known.filter(({ version }) => !applied.some((row) => row.version === version))
  const newer = applied.filter(({ version }) => version > newest)
  const changed = known.filter(({ version, checksum }) =>
    applied.some((row) => row.version === version && row.checksum !== checksum),
  )
  const [first] = missing
  return [
    ...(first
      ? [
          report(
            applied.length === 0
              ? 'The database has no schema: no migration is applied.'
              : `The schema lacks ${missing.length} of ${known.length} migrations, from ${first.version} (${first.name}).`,
            broadside(first.phase === 'after' ? 'migrate --after-deploy' : 'migrate'),
          ),
        ]
      : []),
    ...newer.map(({ version, name }) =>
      report(
        `The schema has migration ${version} (${name}), which is newer than this program.`,
        'Install the version of the program that applied it, then: systemctl restart broadside.target',
      ),
    ),
    ...changed.map(({ version, name }) =>
      problem(
        `Migration ${version} (${name}) was changed after it was applied.`,
        `Restore its file from the release: git checkout -- migrations/${String(version).padStart(4, '0')}_${name}.sql`,
      ),
    ),
  ]
}

/** What `create index concurrently` and `not valid` leave behind when they are interrupted. */
async function unfinished(client: pg.Client, url: string): Promise<CheckFinding[]> {
  const { rows: indexes } = await client.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
     where not (i.indisvalid and i.indisready) and n.nspname in ('public', 'pgboss') order by 1`,
  )
  const { rows: constraints } = await client.query<{ name: string; of_table: string }>(
    `select conname as name, conrelid::regclass::text as of_table from pg_constraint
     where not convalidated and connamespace = 'public'::regnamespace order by 1`,
  )
  return [
    ...indexes.map(({ name }) =>
      problem(
        `The index ${name} is invalid: its creation was interrupted.`,
        adminSql(url, `reindex index concurrently ${name}`),
      ),
    ),
    ...constraints.map(({ name, of_table }) =>
      warning(
        `The constraint ${name} of ${of_table} does not yet hold for old rows: it was not validated.`,
        adminSql(url, `alter table ${of_table} validate constraint ${name}`),
      ),
    ),
  ]
}

/** The advisory lock of `migrate`. */
async function running(client: pg.Client): Promise<CheckFinding[]> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'broadside migrate'`,
  )
  return rows.map(({ pid }) =>
    warning(`A migration is running now (backend ${pid}).`, 'Wait until it ends, then repeat this check.'),
  )
}
