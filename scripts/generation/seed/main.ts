import { parseArgs } from 'node:util'
import { developmentDatabase, developmentDatabaseName } from '../../../tooling/services/databases.ts'
import { startPostgres } from '../../../tooling/services/postgres.ts'
import { HasPosts, seedDatabase } from './seed-database.ts'
import { dropDatabase } from './seeded-database.ts'

const help = `Usage: npm run seed -- --posts 1000000 [--database NAME] [--reset] [--seed NUMBER]

Fills a database with random published posts of all kinds over two years, with real places, and with topics and words as
common as in real texts. Each post has its listings, search entry, charge, decision and event. The same --seed gives the same
posts. Starts PostgreSQL if it is not running. If a run is interrupted, run it again with --reset.

  --posts N        number of posts (default: 100,000)
  --database NAME  database, created if it is missing (default: the one of \`npm run dev\`)
  --reset          drop the database and everything in it first
  --seed N         random seed (default: 1)

Pages are not written: \`npm run broadside -- rebuild\` writes them, and takes longer than this.`

const most = 50_000_000

try {
  await seed(process.argv.slice(2))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

async function seed(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      posts: { type: 'string', default: '100000' },
      database: { type: 'string', default: developmentDatabaseName },
      seed: { type: 'string', default: '1' },
      reset: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(help)
  const posts = wholeNumber('posts', values.posts, most)
  const number = wholeNumber('seed', values.seed, 2 ** 31)
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(values.database))
    throw new Error('--database must consist of lower-case letters, digits and underscores.')
  const startedAt = performance.now()
  const { adminUrl } = await startPostgres()
  if (values.reset) await dropDatabase(adminUrl, values.database)
  const urls = await developmentDatabase(adminUrl, values.database)
  await seedDatabase({ urls, posts, seed: number, now: new Date() }).catch((error) => {
    throw error instanceof HasPosts ? new Error(refusal(values.database)) : error
  })
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
  console.log(`${posts.toLocaleString('en')} posts were added to the database ${values.database} in ${minutes} min.`)
  console.log(
    'Search finds them. Their pages are not written yet; `npm run broadside -- rebuild` writes them and takes longer.',
  )
}

function wholeNumber(name: string, text: string, limit: number): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= 1 && number <= limit) return number
  throw new Error(`--${name} must be a whole number from 1 to ${limit.toLocaleString('en')}.`)
}

const refusal = (database: string) =>
  `The database ${database} already has posts. Pass --reset to drop and recreate it with everything in it, ` +
  'or --database NAME to fill another one.'
