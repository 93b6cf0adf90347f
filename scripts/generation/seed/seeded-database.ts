import { createHash, randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { asAdministrator, createDatabase, databaseExists } from '../../../src/platform/database/database-setup.ts'
import { developmentDatabase, type OwnDatabase, ownDatabase } from '../../../tooling/services/databases.ts'
import { startPostgres } from '../../../tooling/services/postgres.ts'
import { repoDir } from '../../../tooling/services/state.ts'
import { seedDatabase } from './seed-database.ts'

/**
 * A temporary copy of a database with this many posts. The original is kept for the next run, and made again if it is
 * missing, too old or was made by other code.
 */
export async function seededDatabase(posts: number): Promise<OwnDatabase> {
  const { adminUrl } = await startPostgres()
  const prefix = `broadside_seed_${posts}_`
  const original = `${prefix}${versionOf(new Date())}`
  const [found, old] = await asAdministrator(adminUrl, async (admin) => {
    const { rows } = await admin.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1) and datname <> $2',
      [prefix, original],
    )
    return [await databaseExists(admin, original), rows.map(({ name }) => name)] as const
  })
  for (const name of old) await dropDatabase(adminUrl, name)
  if (!found) {
    // Renamed when complete, so that an interrupted one is never copied.
    const draft = `broadside_seed_draft`
    await dropDatabase(adminUrl, draft)
    await seedDatabase({ urls: await developmentDatabase(adminUrl, draft), posts, now: new Date() })
    await asAdministrator(adminUrl, (admin) => admin.query(`alter database ${draft} rename to ${original}`))
  }
  const copy = `broadside_bench_${randomBytes(4).toString('hex')}`
  await createDatabase(adminUrl, copy, original)
  return ownDatabase(adminUrl, copy)
}

export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await asAdministrator(adminUrl, (admin) =>
    admin.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`),
  )
}

/** The sources of the posts and their words: any change may produce different posts. */
const makers = ['migrations/*', 'scripts/generation/seed/*.ts', 'src/text-analysis/*.ts', 'src/posts/public/*.ts']

/** Seeded ads are up to 25 days old and are shown for 30 days, so some would have expired in an older database. */
const freshMs = 4 * 86_400_000

function versionOf(now: Date): string {
  const hash = createHash('sha256').update(String(Math.floor(now.getTime() / freshMs)))
  for (const file of globSync(makers, { cwd: repoDir }).sort()) hash.update(readFileSync(`${repoDir}/${file}`))
  return hash.digest('hex').slice(0, 12)
}
