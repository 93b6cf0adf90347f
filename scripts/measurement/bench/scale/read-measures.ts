import assert from 'node:assert/strict'
import type pg from 'pg'
import { showProgress } from '../../../../src/bin/progress.ts'
import { keptClient } from '../raw-client.ts'
import { drawQueries, type QueryClass } from '../search/queries.ts'
import { measureSearchClass } from '../search/search.ts'
import type { ScalePlace } from './place.ts'
import { percentilesOf, type SizeResult, type TableSize } from './results.ts'

/** Fewer posts have too few words of each class. */
const fewestSearched = 5_000

type Timed = { place: ScalePlace; result: SizeResult; pool: pg.Pool }

/** Every class on one size after the other, so that noise affects all sizes. */
export async function measureSearches(sizes: readonly Timed[], seconds: number): Promise<void> {
  const large = sizes.filter(({ place }) => place.posts >= fewestSearched)
  const classes = new Map<Timed, QueryClass[]>()
  for (const size of large) classes.set(size, await drawQueries(size.pool, size.place.posts))
  const count = Math.max(0, ...[...classes.values()].map(({ length }) => length))
  const onProgress = showProgress('search classes measured')
  for (let index = 0; index < count; index++) {
    for (const [{ place, result }, all] of classes) {
      const one = all[index] as QueryClass
      await using searches = await place.openSearches()
      const { bare, http, givenUp } = await measureSearchClass(one, searches, { seconds, rounds: 4 })
      result.search = {
        ...result.search,
        [one.name]: { sql: percentilesOf(bare), http: percentilesOf(http), timedOut: givenUp },
      }
    }
    onProgress(index + 1, count)
  }
}

/** The filters of `GET /v1/posts`, by the site that has them. */
const filters: Readonly<Record<string, string>> = {
  newest: '',
  topic: 'topic=weather',
  country: 'country=US',
  'topic and country': 'topic=weather&country=US',
  'no match': 'topic=no-such-topic-at-all',
}
const requestsPerFilter = 50

/** Lists posts through the gateway with each filter, on one size after the other. */
export async function measureLists(sizes: readonly Timed[]): Promise<void> {
  const clients = sizes.map(({ place }) => keptClient(place.port))
  for (const [name, query] of Object.entries(filters)) {
    const times = sizes.map((): number[] => [])
    // The first requests warm the caches and are not counted.
    for (let number = -5; number < requestsPerFilter; number++)
      for (const [at, { place }] of sizes.entries()) {
        const { host } = new URL(place.baseUrl)
        const key = place.apiKeys[0]
        const request = `GET /v1/posts?${query} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`
        const { status, milliseconds } = await (clients[at] as (typeof clients)[number]).send(request)
        assert.equal(status, 200)
        if (number >= 0) times[at]?.push(milliseconds)
      }
    for (const [at, { result }] of sizes.entries())
      result.browse = { ...result.browse, [name]: percentilesOf(times[at] as number[]) }
  }
  for (const client of clients) client.close()
}

const deskPages = { queue: '/', statistics: '/numbers' } as const
const requestsPerPage = 40

/** Opens the desk's pages as a signed-in member, on one size after the other. */
export async function measureDesk(sizes: readonly Timed[]): Promise<void> {
  for (const [name, path] of Object.entries(deskPages)) {
    const times = sizes.map((): number[] => [])
    for (let number = -3; number < requestsPerPage; number++)
      for (const [at, { place }] of sizes.entries()) {
        const startedAt = performance.now()
        const response = await place.member.get(path)
        await response.text()
        assert.equal(response.status, 200, `${path} of the desk returned ${response.status}`)
        if (number >= 0) times[at]?.push(performance.now() - startedAt)
      }
    for (const [at, { result }] of sizes.entries())
      result.desk = { ...result.desk, [name]: percentilesOf(times[at] as number[]) } as NonNullable<SizeResult['desk']>
  }
}

/** The bytes of every table that grows with the posts. Partitions count for their table. */
export async function measureTables(pool: pg.Pool, posts: number): Promise<TableSize[]> {
  const { rows } = await pool.query<TableSize>(
    `select root.relname as table, sum(greatest(part.reltuples, 0))::float8 as rows,
       round(sum(pg_table_size(part.oid)) / $1, 1)::float8 as "bytesPerPost",
       round(sum(pg_indexes_size(part.oid)) / $1, 1)::float8 as "indexBytesPerPost"
     from pg_class part join pg_class root on root.oid = coalesce(pg_partition_root(part.oid), part.oid)
     where part.relkind = 'r' and part.relnamespace = 'public'::regnamespace
     group by root.relname having sum(pg_total_relation_size(part.oid)) > 0 order by sum(pg_total_relation_size(part.oid)) desc`,
    [posts],
  )
  return rows
}
