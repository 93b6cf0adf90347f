import { sql } from 'kysely'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import type { Database } from '../../platform/database/database.ts'
import type { AuthorView, FamilyMember, ListingView, SiteView } from '../views.ts'
import { readListing } from './read-listing.ts'
import { selectPosts, shown } from './read-posts.ts'

/** How many posts of each other site an author's page shows. */
const shownElsewhere = 5

export type AuthorContents = AuthorView & { coming: readonly PublicPost[] }

/** What an author's page on this site shows; undefined if the author has no posts on any site. */
export async function readAuthor(
  db: Database,
  site: SiteView,
  path: string,
): Promise<AuthorContents | 'closed' | undefined> {
  const id = path.slice('by/'.length)
  const account = await db
    .selectFrom('accounts')
    .select(['name', 'created_at', 'standing', 'verified_domain'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!account) return undefined
  if (account.standing === 'closed') return 'closed'
  const found = await readListing(db, site, path)
  const elsewhere = await readElsewhere(db, site, path)
  if (!found?.standingCount && elsewhere.length === 0) return undefined
  const { coming, ...listing } = found ?? { ...emptyListing(path), coming: [] }
  return {
    id,
    name: account.name,
    since: account.created_at.toISOString(),
    removedCount: await countRemoved(db, id),
    domain: account.verified_domain,
    listing: { ...listing, name: account.name },
    elsewhere,
    coming,
  }
}

const emptyListing = (path: string): ListingView => ({
  ...{ path, name: '', parents: [], posts: [], newest: [], withdrawn: [], listedCount: 0, standingCount: 0 },
  ...{ topics: [], places: [], own: [], older: null, lastPage: null },
})

/** The latest posts on each other site where the author has any. */
async function readElsewhere(db: Database, site: SiteView, path: string): Promise<AuthorView['elsewhere']> {
  const counts = await db
    .selectFrom('shelves')
    .select(['kind', 'standing'])
    .where('kind', 'in', namesOf(site.family))
    .where('path', '=', path)
    .where('standing', '>', 0)
    .execute()
  const others = site.family.filter((member) => member.kind !== site.kind.name)
  const found: AuthorView['elsewhere'][number][] = []
  for (const member of others) {
    const standingCount = counts.find(({ kind }) => kind === member.kind)?.standing ?? 0
    if (standingCount > 0) found.push({ site: member, standingCount, posts: await readLatest(db, site, member, path) })
  }
  return found
}

const namesOf = (family: readonly FamilyMember[]) => family.map(({ kind }) => kind)

async function readLatest(
  db: Database,
  { family }: SiteView,
  { definition, baseUrl }: FamilyMember,
  path: string,
): Promise<PublicPost[]> {
  const rows = await selectPosts(db)
    .innerJoin('shelf_entries', 'shelf_entries.post_id', 'posts.id')
    .where('shelf_entries.kind', '=', definition.name)
    .where('shelf_entries.path', '=', path)
    .where('shelf_entries.listed', '=', true)
    .where('posts.listed', '=', true)
    .orderBy('shelf_entries.number', 'desc')
    .limit(sql.lit(shownElsewhere))
    .execute()
  return rows.map((row) => shown({ kind: definition, baseUrl, family }, row))
}

async function countRemoved(db: Database, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('posts')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('status', '=', 'removed')
    .executeTakeFirstOrThrow()
  return Number(count)
}
