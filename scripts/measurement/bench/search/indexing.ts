import assert from 'node:assert/strict'
import type pg from 'pg'
import { kinds } from '../../../../src/kinds/index.ts'
import { connect, inTransaction } from '../../../../src/platform/database/database.ts'
import { newId } from '../../../../src/platform/identifiers.ts'
import { searchEntryOf, writeSearchEntry } from '../../../../src/posts/public/search-entries.ts'
import type { SeededDatabase } from '../../../generation/seed/seeded-database.ts'
import { percentile } from './report.ts'

const samples = 300

/**
 * Measures the cost of making one new post searchable: through the code, and as the bare insert of the prepared row.
 */
export async function measureIndexing({ urls }: SeededDatabase, owner: pg.Pool): Promise<void> {
  await using worker = connect(urls.worker, { poolMax: 1, applicationName: 'bench' })
  const posts = await readPosts(owner)
  const times: Record<'code' | 'bare', number[]> = { code: [], bare: [] }
  const ids: string[] = []
  for (const [number, { kind, content }] of posts.entries()) {
    const publishedAt = new Date()
    const [first, second] = [newId('post', publishedAt), newId('post', publishedAt)]
    ids.push(first, second)
    const code = () =>
      inTransaction(worker.db, (tx) =>
        writeSearchEntry(tx, { kind, id: first, content, publishedAt, visibleUntil: null }),
      )
    const { facets, language, words, pairs } = searchEntryOf(kind, content)
    const bare = () => insertBare(worker.pool, [second, publishedAt, facets, language, words, pairs])
    for (const side of number % 2 === 0 ? (['code', 'bare'] as const) : (['bare', 'code'] as const)) {
      const startedAt = performance.now()
      await (side === 'code' ? code() : bare())
      times[side].push(performance.now() - startedAt)
    }
  }
  await owner.query('delete from search_entries where post_id = any($1)', [ids])
  await owner.query('vacuum search_entries')
  const both = (values: number[]) => ({ p50: round(percentile(values, 0.5)), p95: round(percentile(values, 0.95)) })
  console.log(`\nIndexing a new post (${samples} posts, each in a committed transaction), in milliseconds:`)
  console.log(JSON.stringify({ bench: 'search', indexing: both(times.code), bare_insert: both(times.bare) }))
}

const round = (value: number) => Math.round(value * 100) / 100

async function readPosts(owner: pg.Pool) {
  const { rows } = await owner.query<{ kind: string; content: object }>(
    'select kind, content from posts tablesample bernoulli (1) repeatable (2) limit $1',
    [samples],
  )
  return rows.map(({ kind: name, content }) => {
    const kind = kinds.find((one) => one.name === name)
    assert(kind)
    return { kind, content }
  })
}

async function insertBare(pool: pg.Pool, values: unknown[]): Promise<void> {
  await pool.query('begin')
  await pool.query(
    `insert into search_entries (post_id, published_at, facets, language, words, pairs) values ($1, $2, $3, $4, $5, $6)`,
    values,
  )
  await pool.query('commit')
}
