import { sql } from 'kysely'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import { type SearchablePost, writeSearchEntries } from '../posts/public/search-entries.ts'
import { type Sites, siteOf } from '../posts/sites.ts'

type Progress = (done: number, total: number) => void

/** Rebuilds every search entry and removes entries without a listed post. Search keeps working meanwhile. */
export async function reindex(db: Database, sites: Sites, progress: Progress = () => {}): Promise<number> {
  const total = await countListed(db)
  let done = 0
  for (let last = ''; ; ) {
    const batch = await inTransaction(db, (tx) => reindexAfter(tx, sites, last))
    const end = batch.at(-1)
    if (!end) break
    last = end
    done += batch.length
    // Posts published in the meantime are beyond the initial count.
    progress(Math.min(done, total), total)
  }
  await sql`
    delete from search_entries where not exists (
      select from posts where posts.id = post_id and posts.published_at = search_entries.published_at and posts.listed
    )`.execute(db)
  progress(total, total)
  return done
}

const batchSize = 500

type Row = { id: string; kind: string; content: object; published_at: Date; visible_until: Date | null }

/** The posts are locked, so that none is edited or taken down between the read and the write. */
async function reindexAfter(tx: Transaction, sites: Sites, last: string): Promise<string[]> {
  const { rows } = await sql<Row>`
    select id, kind, content, published_at, visible_until from posts where listed and id > ${last}
    order by id limit ${sql.lit(batchSize)} for no key update`.execute(tx)
  const posts = rows.map((row): SearchablePost => {
    const { kind } = siteOf(sites, row.kind)
    return { kind, id: row.id, content: row.content, publishedAt: row.published_at, visibleUntil: row.visible_until }
  })
  if (posts.length > 0) await writeSearchEntries(tx, posts)
  return rows.map(({ id }) => id)
}

async function countListed(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('posts')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('listed', '=', true)
    .executeTakeFirstOrThrow()
  return Number(count)
}
