import { CommandError, UsageError } from '../../../src/bin/command.ts'
import { connect } from '../../../src/platform/database/database.ts'
import { flag, readOptions, runScript, textOr, wholeNumber } from '../../../tooling/script-options.ts'
import { developmentDatabase, developmentDatabaseName } from '../../../tooling/services/databases.ts'
import { startPostgres } from '../../../tooling/services/postgres.ts'
import { HasPosts, seedDatabase } from './seed-database.ts'
import { dropDatabase } from './seeded-database.ts'

const details = `Fills a database with random published posts of all kinds over two years, with real places, and with topics and words as
common as in real texts. Each post has its listings, search entry, charge, decision and event. Every run makes the same posts.
Prints the bytes that each post adds to the tables. Starts PostgreSQL if it is not running. If a run is interrupted, run it
again with --reset.

  --posts N        number of posts (default: 100,000)
  --database NAME  database, created if it is missing (default: the one of \`npm run dev\`)
  --reset          drop the database and everything in it first

Pages are not written: \`npm run broadside -- rebuild\` writes them, and takes longer than this.`

await runScript({ command: 'npm run seed', details }, seed)

async function seed(args: readonly string[]): Promise<void> {
  const { posts, database, reset } = readOptions(args, {
    posts: wholeNumber(100_000, { max: 50_000_000 }),
    database: textOr(developmentDatabaseName),
    reset: flag,
  })
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(database))
    throw new UsageError('--database must consist of lower-case letters, digits and underscores.')
  const startedAt = performance.now()
  const { adminUrl } = await startPostgres()
  if (reset) await dropDatabase(adminUrl, database)
  const urls = await developmentDatabase(adminUrl, database)
  await seedDatabase({ urls, posts, now: new Date() }).catch((error) => {
    throw error instanceof HasPosts ? new CommandError(refusal(database)) : error
  })
  console.table(await readSizes(urls.migrator, posts))
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
  console.log(`${posts.toLocaleString('en')} posts were added to the database ${database} in ${minutes} min.`)
  console.log(
    'Search finds them. Their pages are not written yet; `npm run broadside -- rebuild` writes them and takes longer.',
  )
}

/** The largest tables, and what each post adds to them. */
async function readSizes(url: string, posts: number) {
  await using owner = connect(url, { poolMax: 1, applicationName: 'seed' })
  const { rows } = await owner.pool.query<{ table: string }>(
    `select relname as table, round(greatest(reltuples, 0)::numeric / $1, 3)::float8 as rows,
       round(pg_table_size(oid)::numeric / $1, 1)::float8 as bytes,
       round(pg_indexes_size(oid)::numeric / $1, 1)::float8 as "index bytes"
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
     order by pg_total_relation_size(oid) desc limit 12`,
    [posts],
  )
  return Object.fromEntries(rows.map(({ table, ...sizes }) => [table, sizes]))
}

function refusal(database: string): string {
  return (
    `The database ${database} already has posts. Pass --reset to drop and recreate it with everything in it, ` +
    'or --database NAME to fill another one.'
  )
}
