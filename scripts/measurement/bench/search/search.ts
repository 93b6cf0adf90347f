import assert from 'node:assert/strict'
import pg from 'pg'
import { findCaller } from '../../../../src/accounts/keys/api-key.ts'
import { showProgress } from '../../../../src/bin/progress.ts'
import { countUse } from '../../../../src/calls/count-use.ts'
import type { Call } from '../../../../src/contract/call.ts'
import { kinds } from '../../../../src/kinds/index.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { type Connection, connect } from '../../../../src/platform/database/database.ts'
import { createLogger } from '../../../../src/platform/observability/logger.ts'
import { criteriaOf, planOf, type SearchInput } from '../../../../src/search/find-posts.ts'
import { searchOperation } from '../../../../src/search/operations.ts'
import { readQuery } from '../../../../src/search/read-query.ts'
import { searchStatement } from '../../../../src/search/search-statement.ts'
import { wordStatistics } from '../../../../src/search/word-statistics.ts'
import { decimal, flag, readOptions, text, textOr, wholeNumber } from '../../../../tooling/script-options.ts'
import { keptClient } from '../raw-client.ts'
import { openSearchEnvironment, type SearchEnvironment } from './environment.ts'
import { measureIndexing } from './indexing.ts'
import type { Statement } from './queries.ts'
import { type BenchQuery, drawQueries, type QueryClass } from './queries.ts'
import { explainSlowest, printClass, printSizes, printTable, type Times } from './report.ts'

/**
 * Runs searches of every class over a seeded database: as the bare statement, as all statements of the request, and
 * over HTTP through the gateway, alternating, so that temporary noise affects all three.
 */
export async function benchSearch(args: string[]): Promise<void> {
  const { posts, seconds, rounds, explain, only, profile } = readOptions(args, {
    posts: wholeNumber(1_000_000),
    seconds: decimal(60),
    rounds: wholeNumber(8),
    explain: flag,
    only: textOr(''),
    profile: text('FOLDER'),
  })
  await using environment = await openSearchEnvironment(posts, profile)
  await using owner = connect(environment.database.urls.migrator, {
    ...{ poolMax: 1, applicationName: 'bench', statementTimeoutMs: 0 },
  })
  await using sides = await openSearchSides(environment)
  const classes = (await drawQueries(owner.pool, posts)).filter(({ name }) => name.includes(only))
  const limits = { seconds, rounds }
  const results: Times[] = []
  const onProgress = showProgress('measured')
  // A warm-up: new processes and connections are slow for a while, which should not count against any class.
  await measureSearchClass(classes[0] as QueryClass, sides, { seconds: 20, rounds: 5 })
  for (const [index, one] of classes.entries()) {
    const times = await measureSearchClass(one, sides, limits)
    results.push(times)
    printClass(posts, times)
    onProgress(index + 1, classes.length)
  }
  printTable(posts, results)
  await printSizes(owner.pool)
  await measureIndexing(environment.database, owner.pool)
  if (explain) await explainSlowest(sides.bare, results, (query) => statementOf(sides.metered, query))
}

/** The statement that the API sends for this query. */
async function statementOf({ db }: Connection, { q, ...given }: BenchQuery): Promise<Statement> {
  const criteria = criteriaOf(kinds, { sort: 'relevance', limit: 20, q, ...given } as SearchInput)
  const plan = planOf(readQuery(q, { isTyped: false }), criteria, new Date(), await wordStatistics(db))
  assert(plan, 'no query of the bench matches')
  const { sql, parameters } = searchStatement(plan).compile(db)
  return { text: sql, values: [...parameters] }
}

type Sides = Awaited<ReturnType<typeof openSearchSides>>

type SearchPlace = Pick<SearchEnvironment, 'database' | 'port' | 'baseUrl' | 'customer'>

/** The three ways of running a search on one database. */
export async function openSearchSides({ database, port, baseUrl, customer }: SearchPlace) {
  const bare = new pg.Client({ connectionString: database.urls.api })
  await bare.connect()
  const metered = connect(database.urls.api, { poolMax: 1, applicationName: 'bench', commitsLater: true })
  const client = keptClient(port)
  const { host } = new URL(baseUrl)
  const operation = searchOperation(kinds)
  let givenUp = 0
  let searches = 0
  const nextKey = () => String(customer.apiKeys[searches++ % customer.apiKeys.length])
  return {
    givenUp: () => givenUp,
    bare,
    metered,
    runBare: async (query: BenchQuery) => {
      const { text, values } = await statementOf(metered, query)
      return timed(() => bare.query(text, values))
    },
    /** All statements that the API runs for a search, including the key lookup and the daily count. */
    runMetered: async (query: BenchQuery) => {
      const { text, values } = await statementOf(metered, query)
      return timed(async () => {
        const caller = await findCaller(metered.db, nextKey(), new Date())
        assert(caller)
        await countUse({ operation, call: callBy(metered, caller), sizes: {}, maxChargeMicros: null }, async () => {
          await metered.pool.query(text, values)
          return { headers: {} }
        })
      })
    },
    runHttp: async (query: BenchQuery) => {
      const request = `GET /v1/search?${new URLSearchParams(query)} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${nextKey()}\r\n\r\n`
      const { status, milliseconds } = await client.send(request)
      // A search that takes too long is cancelled, and the caller gets a problem. Any other error is a bug in the
      // bench.
      assert(status === 200 || status === 503, `a search returned status ${status}`)
      if (status === 503) givenUp++
      return milliseconds
    },
    [Symbol.asyncDispose]: async () => {
      client.close()
      await bare.end()
      await metered[Symbol.asyncDispose]()
    },
  }
}

const logger = createLogger('silent', 'bench')

function callBy({ db }: Connection, caller: Call['caller']): Call {
  const requestId = crypto.randomUUID()
  return {
    ...{ requestId, db, sideDb: db, clock: systemClock, logger, caller, address: '127.0.0.1' },
  } as Partial<Call> as Call
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

type Limits = { seconds: number; rounds: number }

/**
 * Runs one more round than is counted, because the first runs with cold caches. Each round starts with another side. A
 * class that exceeds its time stops within a round once there are enough measurements.
 */
export async function measureSearchClass({ name, queries }: QueryClass, sides: Sides, limits: Limits): Promise<Times> {
  const times: Times = {
    name,
    bare: [],
    metered: [],
    http: [],
    slowest: { milliseconds: 0, query: queries[0] as BenchQuery },
    givenUp: 0,
  }
  const givenUpBefore = sides.givenUp()
  const until = performance.now() + limits.seconds * 1_000
  const isOver = () => performance.now() > until && times.bare.length >= enoughTimes
  for (let round = 0; round <= limits.rounds && !isOver(); round++)
    for (const query of round === 0 ? queries.slice(0, enoughTimes) : queries) {
      const measured = await inTurns(sides, query, round)
      if (round === 0) continue
      times.bare.push(measured.bare)
      times.metered.push(measured.metered)
      times.http.push(measured.http)
      if (measured.bare > times.slowest.milliseconds) times.slowest = { milliseconds: measured.bare, query }
      if (isOver()) break
    }
  times.givenUp = sides.givenUp() - givenUpBefore
  return times
}

const enoughTimes = 20

async function inTurns({ runBare, runMetered, runHttp }: Sides, query: BenchQuery, round: number) {
  const runs = [
    ['bare', runBare],
    ['metered', runMetered],
    ['http', runHttp],
  ] as const
  const measured = { bare: 0, metered: 0, http: 0 }
  for (let turn = 0; turn < runs.length; turn++) {
    const [side, run] = runs[(round + turn) % runs.length] as (typeof runs)[number]
    measured[side] = await run(query)
  }
  return measured
}
