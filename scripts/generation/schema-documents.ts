import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { migratedDatabase } from '../../tooling/services/databases.ts'

const run = promisify(execFile)

/** The schema after all migrations, and the types of its tables, from a temporary database. */
export async function schemaDocuments(): Promise<[string, string][]> {
  await using database = await migratedDatabase('generate')
  const folder = await mkdtemp(join(tmpdir(), 'broadside-'))
  try {
    const types = join(folder, 'types.ts')
    const mapping = JSON.stringify({ int8: 'number' })
    const options = [
      '--dialect',
      'postgres',
      '--type-mapping',
      mapping,
      '--date-parser',
      'string',
      // The queue owns its tables: only src/jobs accesses them, in SQL.
      '--exclude-pattern',
      'pgboss.*',
      '--log-level',
      'error',
    ]
    await run('kysely-codegen', ['--url', database.adminUrl, '--out-file', types, ...options])
    const { stdout } = await run('pg_dump', ['--schema-only', '--no-owner', database.adminUrl], { maxBuffer: 64 << 20 })
    return [
      ['generated/database-types.ts', await readFile(types, 'utf8')],
      ['schema.sql', withoutVersions(stdout)],
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * Removes everything that depends on the machine and not on the schema: versions, and the random token at the start of
 * recent dumps.
 */
function withoutVersions(dump: string): string {
  const isNoise = (line: string) =>
    /^(-- Dumped (from|by)|\\(un)?restrict |SET (transaction_timeout|default_table_access_method))/.test(line)
  const lines = dump.split('\n').filter((line) => !isNoise(line))
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`
}
