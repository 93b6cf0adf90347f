import type pg from 'pg'
import { type Kind, kinds } from '../../../src/kinds/index.ts'
import { connect } from '../../../src/platform/database/database.ts'
import type { RoleUrls } from '../../../tooling/services/databases.ts'

const batch = 5_000

/**
 * Gives stored posts their places in listings and in the archive, as the worker would have. A rebuild does the same, in one
 * transaction for each post.
 */
export async function listStoredPosts({ migrator }: RoleUrls): Promise<void> {
  await using owner = connect(migrator, { poolMax: 1, applicationName: 'seed listings', statementTimeoutMs: 0 })
  for (const kind of kinds) {
    for (let after = ''; ; ) {
      const last = await listBatch(owner.pool, kind, after)
      if (last === undefined) break
      after = last
    }
    await completeListings(owner.pool, kind)
  }
  await owner.pool.query('vacuum (analyze) shelf_entries, shelves, publications')
}

type Stored = { id: string; content: object; published_at: Date; listed: boolean }

/** Returns the last post of the batch; undefined if there was none. */
async function listBatch(pool: pg.Pool, kind: Kind, after: string): Promise<string | undefined> {
  const { rows } = await pool.query<Stored>(
    `select id, content, published_at, listed from posts
     where id > $1 and kind = $2 and status = 'published' order by id limit ${batch}`,
    [after, kind.name],
  )
  const entries = rows.flatMap(({ content, ...post }) => {
    const endsAt = kind.presentation.occasion?.(content).ends_at ?? null
    return [...new Set(['', ...kind.shelves(content)])].map((path) => ({ ...post, path, endsAt }))
  })
  const column = <T>(value: (entry: (typeof entries)[number]) => T) => entries.map(value)
  await pool.query(
    `insert into shelf_entries (post_id, path, kind, published_at, ends_at, listed)
     select id, path, $1, at, ends_at, listed
     from unnest($2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::boolean[]) as given (id, path, at, ends_at, listed)`,
    [
      kind.name,
      column(({ id }) => id),
      column(({ path }) => path),
      column(({ published_at }) => published_at),
      column(({ endsAt }) => endsAt),
      column(({ listed }) => listed),
    ],
  )
  return rows.at(-1)?.id
}

/** Archive positions for posts without one, and the counts of all listings. */
export async function completeListings(pool: pg.Pool, { name }: Kind): Promise<void> {
  await pool.query(
    `insert into publications (post_id, kind, month, number, version)
     select id, kind, month, row_number() over (partition by month order by id) + coalesce(before.last, 0), nextval('page_versions')
     from (
       select id, kind, to_char(published_at at time zone 'UTC', 'YYYY-MM') as month from posts
       where kind = $1 and published_at is not null and not exists (select from publications where post_id = id)
     ) as new
     left join (select month, max(number) as last from publications where kind = $1 group by month) as before using (month)`,
    [name],
  )
  await pool.query(
    `insert into shelves (kind, path, listed, standing, version)
     select kind, path, count(*) filter (where listed), count(*), nextval('page_versions') from shelf_entries
     where kind = $1 group by kind, path
     on conflict (kind, path) do update set listed = excluded.listed, standing = excluded.standing, version = excluded.version`,
    [name],
  )
}
