import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { asAdministrator, databaseExists, urlFor } from '../../../src/platform/database/database-setup.ts'
import { developmentDatabase, type RoleUrls } from '../../../tooling/services/databases.ts'
import { startPostgres } from '../../../tooling/services/postgres.ts'
import { repoDir } from '../../../tooling/services/state.ts'
import { seedDatabase } from './seed-database.ts'

/** Seeded ads are up to 25 days old and are shown for 30 days, so some would have expired in an older database. */
const freshDays = 4

export type SeededDatabase = { adminUrl: string; urls: RoleUrls; seededAt: Date }

/**
 * A database with this many posts, kept for the next run. It is recreated if it is missing, too old or was created by
 * other code.
 */
export async function seededDatabase(posts: number, { seed = 1, keep = false } = {}): Promise<SeededDatabase> {
  const { adminUrl } = await startPostgres()
  const name = `broadside_seed_${posts}`
  const maker = hashOfMaker(seed)
  const found = await readStamp(adminUrl, name)
  const own = urlFor(adminUrl, name)
  // With `keep`, also a database that `npm run seed` or other code created.
  if (keep && (await asAdministrator(adminUrl, (admin) => databaseExists(admin, name))))
    return {
      adminUrl: own,
      urls: await developmentDatabase(adminUrl, name),
      seededAt: new Date(found?.at ?? Date.now()),
    }
  const isFresh = found?.maker === maker && Date.now() - Date.parse(found.at) < freshDays * 86_400_000
  if (isFresh) return { adminUrl: own, urls: await developmentDatabase(adminUrl, name), seededAt: new Date(found.at) }
  await dropDatabase(adminUrl, name)
  const urls = await developmentDatabase(adminUrl, name)
  const now = new Date()
  await seedDatabase({ urls, posts, seed, now })
  await writeStamp(adminUrl, name, { maker, at: now.toISOString() })
  return { adminUrl: own, urls, seededAt: now }
}

export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await asAdministrator(adminUrl, (admin) =>
    admin.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`),
  )
}

/** The sources of the posts and their words: any change may produce different posts. */
const makers = [
  'migrations',
  'scripts/generation/seed',
  'tooling/random.ts',
  'src/text-analysis',
  'src/posts/public/search-entries.ts',
]

function hashOfMaker(seed: number): string {
  const hash = createHash('sha256').update(String(seed))
  for (const path of makers) for (const file of filesIn(path)) hash.update(readFileSync(file))
  return hash.digest('hex')
}

function filesIn(path: string): string[] {
  const place = join(repoDir, path)
  if (path.endsWith('.ts')) return [place]
  return readdirSync(place)
    .sort()
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => join(place, file))
}

type Stamp = { maker: string; at: string }

/** Stored as the comment on the database. It is written last, so an interrupted database has none. */
async function readStamp(adminUrl: string, name: string): Promise<Stamp | undefined> {
  const { rows } = await asAdministrator(adminUrl, (admin) =>
    admin.query<{ stamp: string | null }>(
      `select shobj_description(oid, 'pg_database') as stamp from pg_database where datname = $1`,
      [name],
    ),
  )
  return rows[0]?.stamp ? (JSON.parse(rows[0].stamp) as Stamp) : undefined
}

async function writeStamp(adminUrl: string, name: string, stamp: Stamp): Promise<void> {
  const comment = pg.escapeLiteral(JSON.stringify(stamp))
  await asAdministrator(adminUrl, (admin) =>
    admin.query(`comment on database ${pg.escapeIdentifier(name)} is ${comment}`),
  )
}
