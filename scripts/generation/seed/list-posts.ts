import type pg from 'pg'
import type { Kind } from '../../../src/kinds/index.ts'

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
