import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import { newId } from '../../src/platform/identifiers.ts'
import { migratedDatabase, type OwnDatabase } from '../../tooling/services/databases.ts'

let database: OwnDatabase
before(async () => {
  database = await migratedDatabase('lookups')
})
after(() => database[Symbol.asyncDispose]())

const at = new Date('2026-11-15T12:00:00Z')
const stored = 40_000
const kinds = ['classified', 'event', 'message', 'story']

/** Entries that were read of these tables and their indexes. */
const readEntries = `
  select (select sum(seq_tup_read) from pg_stat_user_tables where relname = any($1))::int
    + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = any($1))::int as read`
const tables = ['publications', 'shelf_entries', 'listing_pages', 'shelves']

test('a new post is listed without reading the entries of other posts', async () => {
  await asAdministrator(database.adminUrl, async (admin) => {
    await admin.query(
      `insert into publications (post_id, kind, month, number, version)
       select 'post_0' || lpad(n::text, 25, '0'), ($1::text[])[1 + n % 4], '2026-' || lpad((1 + n / 4 % 11)::text, 2, '0'), n, n
       from generate_series(1, $2::int) n`,
      [kinds, stored],
    )
    // One more entry fills a page of the topic.
    await admin.query(
      `insert into shelves (kind, path, listed, standing, version, last_number)
       select kind, path, 9999, 9999, 1, 9999 from unnest($1::text[]) kind, unnest(array['', 'topics/ferries']) path`,
      [kinds],
    )
    await admin.query(
      `insert into shelf_entries (post_id, path, kind, published_at, listed, number)
       select 'post_0' || lpad(n::text, 25, '0'), path, ($1::text[])[1 + n % 4], $2, true, 1 + (n - 1) / 4
       from generate_series(1, $3::int) n, unnest(array['', 'topics/ferries']) path`,
      [kinds, at, stored - 4],
    )
    await admin.query('analyze publications, shelf_entries, shelves')
    const read = async () => {
      await admin.query('select pg_stat_force_next_flush()')
      return Number((await admin.query<{ read: number }>(readEntries, [tables])).rows[0]?.read)
    }
    const earlier = await read()
    const { rows } = await admin.query<{ archive_number: number; pages: string[] }>(
      `select archive_number, pages from shelve_post($1::text, 'message', $2, null, true, $3, $2, 20)`,
      [newId('post', at), at, ['', 'topics/ferries']],
    )
    const count = (await read()) - earlier
    assert.deepEqual(rows[0]?.pages, ['topics/ferries/500'])
    assert.ok(count < 100, `${count} entries were read`)
  })
})
