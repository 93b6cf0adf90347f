import assert from 'node:assert/strict'
import { kinds } from '../../../src/kinds/index.ts'
import { connect } from '../../../src/platform/database/database.ts'
import { criteriaOf, planOf, type SearchInput } from '../../../src/search/find-posts.ts'
import { readQuery } from '../../../src/search/read-query.ts'
import { searchStatement } from '../../../src/search/search-statement.ts'
import { wordStatistics } from '../../../src/search/word-statistics.ts'
import { randomFor } from '../../../tooling/random.ts'
import { readOptions, wholeNumber } from '../../../tooling/script-options.ts'
import { makeVocabulary } from '../../generation/seed/vocabulary.ts'
import { compare, percentilesOf, timed } from './harness.ts'
import { openService } from './service.ts'

type Query = { q: string; country?: string; topic?: string; sort?: 'newest' }

/** Each class of queries as the statement alone, and over HTTP. */
export async function benchSearch(args: string[]): Promise<void> {
  const { posts, rounds } = readOptions(args, { posts: wholeNumber(1_000_000), rounds: wholeNumber(5) })
  await using service = await openService(posts)
  await using connection = connect(service.database.urls.api, { poolMax: 1, applicationName: 'bench' })
  const runStatement = async (query: Query) => {
    const criteria = criteriaOf(kinds, { sort: 'relevance', limit: 20, ...query } as SearchInput)
    const statistics = await wordStatistics(connection.db)
    const plan = planOf(readQuery(query.q, { isTyped: false }), criteria, new Date(), statistics)
    assert(plan, `${query.q} has no plan`)
    return timed(() => searchStatement(plan).execute(connection.db))
  }
  const runHttp = ({ ...query }: Query) =>
    timed(() => service.call(`/v1/search?${new URLSearchParams(query as Record<string, string>)}`))
  for (const [name, queries] of Object.entries(drawQueries(posts))) {
    const p95 = (run: (query: Query) => Promise<number>) => async () => {
      const times = []
      for (const query of queries) times.push(await run(query))
      return percentilesOf(times).p95
    }
    await compare(`${name}, p95 in milliseconds`, rounds, { statement: p95(runStatement), HTTP: p95(runHttp) })
  }
}

const perClass = 32
/** About as many words as a seeded post has. */
const wordsPerPost = 60

/** Queries of each class, by how many posts have their words. The same in every run. */
function drawQueries(posts: number): Record<string, Query[]> {
  const random = randomFor(7, posts)
  const { words, subjects, shareOf } = makeVocabulary()
  const topics = new Set(subjects)
  const having = (from: number, to: number) =>
    words.filter((word, rank) => {
      const share = shareOf(rank) * wordsPerPost
      return topics.has(word) && share > from && share <= to
    })
  const common = having(0.05, 0.5)
  const middling = having(0.002, 0.02)
  const rare = having(15 / posts, 60 / posts)
  const rarest = rare.length > 0 ? rare : words.slice(-1_000)
  const one = (list: readonly string[]) => random.pick(list)
  const draw = (query: () => Query) => Array.from({ length: perClass }, query)
  return {
    rare: draw(() => ({ q: one(rarest) })),
    middling: draw(() => ({ q: one(middling) })),
    common: draw(() => ({ q: one(common) })),
    'two common words': draw(() => ({ q: `${one(common)} ${one(common)}` })),
    'phrase of two common words': draw(() => ({ q: `"${one(common)} ${one(common)}"` })),
    'common, in a country': draw(() => ({ q: one(common), country: random.pick(['US', 'DE', 'IN']) })),
    'common, in a topic': draw(() => ({ q: one(common), topic: String(subjects[60 + random.below(20)]) })),
    'newest first, common': draw(() => ({ q: one(common), sort: 'newest' })),
    'newest first, middling': draw(() => ({ q: one(middling), sort: 'newest' })),
  }
}
