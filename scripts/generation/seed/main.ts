import { parseArgs } from 'node:util'
import { developmentDatabase, developmentDatabaseName } from '../../../tooling/services/databases.ts'
import { startPostgres } from '../../../tooling/services/postgres.ts'
import { HasPosts, seedDatabase } from './seed-database.ts'
import { dropDatabase } from './seeded-database.ts'

const help = `Usage: npm run seed -- --posts 1000000 [--database NAME] [--reset] [--seed NUMBER]

Fills a database with published posts of all kinds, made of chance: real places, topics and words as common as in real
texts. The same number of --seed gives the same posts. Starts PostgreSQL when it does not run.

  --posts N        how many (100,000 when left out)
  --database NAME  which database, made when it is missing; that of \`npm run dev\` when left out
  --reset          drop the database first, with all that is in it
  --seed N         where chance begins (1 when left out)

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
    throw new Error('--database must be a name of small letters, digits and underscores.')
  const startedAt = performance.now()
  const { adminUrl } = await startPostgres()
  if (values.reset) await dropDatabase(adminUrl, values.database)
  const urls = await developmentDatabase(adminUrl, values.database)
  await seedDatabase({ urls, posts, seed: number, now: new Date() }).catch((error) => {
    throw error instanceof HasPosts ? new Error(refusal(values.database)) : error
  })
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
  console.log(`${posts.toLocaleString('en')} posts are in the database ${values.database}, after ${minutes} min.`)
  console.log('Search finds them. Their pages are not written: `npm run broadside -- rebuild` would, and takes longer.')
}

function wholeNumber(name: string, text: string, limit: number): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= 1 && number <= limit) return number
  throw new Error(`--${name} must be a whole number from 1 to ${limit.toLocaleString('en')}.`)
}

const refusal = (database: string) =>
  `The database ${database} has posts already. With --reset it is dropped, with all that is in it, and made anew; ` +
  '--database NAME fills another.'
