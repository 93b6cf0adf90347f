import { sql } from 'kysely'
import type { PostStatus } from '../../generated/database-types.ts'
import { excerpt } from '../kinds/presentation/excerpt.ts'
import type { Database } from '../platform/database/database.ts'
import { similarity } from '../posts/duplicates/signature.ts'
import { postUrl, type Sites, siteOf } from '../posts/sites.ts'

/** The length of an excerpt: enough to tell posts apart. */
const charactersShown = 120

export type Excerpt = {
  /** Untrusted text; null if it is no longer stored. */
  excerpt: string | null
  /** The public URL; null if the post is not public. */
  url: string | null
}

type Stored = { id: string; kind: string; status: PostStatus; content: unknown }

/** The beginning of another post, and its public URL. */
export function excerptOf(sites: Sites, { id, kind: name, status, content }: Stored): Excerpt {
  const { kind, baseUrl } = siteOf(sites, name)
  const { hasTitle, headline, text } = kind.presentation
  const said = content as object | null
  return {
    excerpt: said && excerpt(hasTitle ? `${headline(said)}: ${text(said)}` : text(said), charactersShown),
    url: status === 'published' ? postUrl(baseUrl, id) : null,
  }
}

type Near = {
  post_id: string
  /** 0 for the post itself. */
  edit: number
  kind: string
  status: PostStatus
  created_at: Date
  /** From 0 to 1. */
  similarity: number
  same_author: boolean
}

export type SimilarPost = Near & Excerpt

/** Below this similarity, matches are coincidental. */
const worthShowing = 0.4
const shown = 10

/** Recent posts with nearly the same text, most similar first. */
export async function findSimilarPosts(
  db: Database,
  sites: Sites,
  { postId, edit, accountId }: { postId: string; edit: number; accountId: string },
): Promise<SimilarPost[]> {
  const own = await db
    .selectFrom('post_signatures')
    .select(['bands', 'minhash'])
    .where('post_id', '=', postId)
    .where('edit', '=', edit)
    .executeTakeFirst()
  if (!own) return []
  const { rows } = await sql<Omit<Near, 'similarity'> & { minhash: number[] }>`
    select near.post_id, near.edit, posts.kind, posts.status, posts.created_at, near.minhash,
      near.account_id = ${accountId} as same_author
    from sharing_a_band(${own.bands}, to_timestamp(0)) near join posts on posts.id = near.post_id
    where near.post_id <> ${postId}`.execute(db)
  const nearest = rows
    .map(({ minhash, ...post }) => ({ ...post, similarity: similarity(minhash, own.minhash) }))
    .filter((post) => post.similarity >= worthShowing)
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, shown)
  const contents = await readContents(db, nearest)
  return nearest.map((near) => ({
    ...near,
    ...excerptOf(sites, { ...near, id: near.post_id, content: contents.get(nameOf(near)) ?? null }),
  }))
}

const nameOf = ({ post_id, edit }: Pick<Near, 'post_id' | 'edit'>) => `${post_id} ${edit}`

/** Reads the text of each post, or of the edit if an edit is similar. */
async function readContents(db: Database, nearest: readonly Near[]): Promise<Map<string, unknown>> {
  const { rows } = await sql<{ post_id: string; edit: number; content: unknown }>`
    select wanted.post_id, wanted.edit, case when wanted.edit > 0 then edits.content else posts.content end as content
    from unnest(${nearest.map(({ post_id }) => post_id)}::text[], ${nearest.map(({ edit }) => edit)}::int[]) wanted (post_id, edit)
    join posts on posts.id = wanted.post_id
    left join post_edits edits on edits.post_id = wanted.post_id and edits.number = wanted.edit`.execute(db)
  return new Map(rows.map((row) => [nameOf(row), row.content]))
}
