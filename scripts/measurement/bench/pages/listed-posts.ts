import type { Kind } from '../../../../src/kinds/index.ts'
import { connect } from '../../../../src/platform/database/database.ts'
import { newId } from '../../../../src/platform/identifiers.ts'
import type { OwnDatabase } from '../../../../tooling/services/databases.ts'
import { makeText } from '../../../fault-injection/chaos/traffic.ts'
import { completeListings } from '../../../generation/seed/list-posts.ts'

const countries = 'PT ES FR DE NL GB IE IT PL SE NO FI DK BR AR CL MX US CA JP KR IN ID KE NG ZA EG MA AU NZ'.split(' ')

/** Few topics are common and many are rare, as with topics chosen by people. */
const rank = (count: number) => Math.floor(count ** Math.random()) - 1

/** A message like those in the load: up to three of 2,000 topics, and usually a country. */
export function makeMessage(number: number) {
  const topics = [...new Set(Array.from({ length: number % 4 }, () => `topic-${rank(2_000)}`))]
  const location = number % 5 === 0 ? {} : { location: { country: countries[rank(countries.length)] } }
  return { text: makeText(number), topics, ...location }
}

const batch = 5_000

/** Stores published posts with their listing and archive positions, as the worker would have. */
export async function storeListedPosts(
  { urls }: OwnDatabase,
  kind: Kind,
  { count, accountId }: { count: number; accountId: string },
): Promise<void> {
  await using owner = connect(urls.migrator, { poolMax: 1, applicationName: 'bench setup', statementTimeoutMs: 0 })
  const run = (statement: string, values: unknown[] = []) => owner.pool.query(statement, values)
  await run('alter table posts disable trigger user')
  const firstAt = Date.now() - count
  for (let done = 0; done < count; done += batch) {
    const rows = Array.from({ length: Math.min(batch, count - done) }, (_, index) => {
      const at = new Date(firstAt + done + index)
      const body = kind.body.parse(makeMessage(done + index))
      return { id: newId('post', at), at, body, facets: kind.facets(body), paths: ['', ...kind.shelves(body)] }
    })
    const column = <T>(value: (row: (typeof rows)[number]) => T) => rows.map(value)
    await run(
      `insert into posts (id, account_id, kind, status, content, facets, created_at, decided_at, published_at, listed)
       select id, $1, $2, 'published', content, facets, at, at, at, true
       from unnest($3::text[], $4::jsonb[], $5::jsonb[], $6::timestamptz[]) as given (id, content, facets, at)`,
      [
        accountId,
        kind.name,
        column(({ id }) => id),
        column(({ body }) => JSON.stringify(body)),
        column(({ facets }) => JSON.stringify(facets)),
        column(({ at }) => at),
      ],
    )
    const entries = rows.flatMap(({ id, at, paths }) => paths.map((path) => ({ id, at, path })))
    await run(
      `insert into shelf_entries (post_id, path, kind, published_at, listed)
       select id, path, $1, at, true from unnest($2::text[], $3::text[], $4::timestamptz[]) as given (id, path, at)`,
      [kind.name, entries.map(({ id }) => id), entries.map(({ path }) => path), entries.map(({ at }) => at)],
    )
    process.stderr.write(
      `\rstoring ${(done + rows.length).toLocaleString('en')} of ${count.toLocaleString('en')} posts `,
    )
  }
  await completeListings(owner.pool, kind)
  for (const statement of ['alter table posts enable trigger user', 'vacuum analyze']) await run(statement)
  process.stderr.write('\n')
}
