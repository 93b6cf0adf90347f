import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Call } from '../contract/call.ts'
import { Problem } from '../contract/problems/problem.ts'
import { invalidField } from '../contract/problems/validation-errors.ts'
import type { Database } from '../platform/database/database.ts'
import { newId } from '../platform/identifiers.ts'
import { postId } from '../posts/status/status-record.ts'
import type { ReportBody } from './report-body.ts'

/** Files a report about a public post on any site. All open reports about a post belong to one case. */
export async function fileReport({ db, clock, caller, baseUrls }: Call, body: ReportBody) {
  const post = namedPost(body, baseUrls)
  await assertPublic(db, post)
  const at = clock.now()
  const id = newId('rep', at)
  const reporter = caller?.accountId ?? null
  const [detail, email] = [body.detail || null, body.contact_email ?? null]
  // If the post is taken down at this moment, the case stays open until the next sweep closes it.
  await sql`select file_report(${id}, ${post.id}, ${reporter}, ${body.category}, ${detail}, ${email}, ${at})`.execute(
    db,
  )
  return { id, status: 'received' as const }
}

/** `kind` is set if the caller sent a URL. */
type Named = { id: string; kind?: string }

function namedPost({ post_id, url }: ReportBody, baseUrls: Call['baseUrls']): Named {
  if (url === undefined) {
    assert(post_id, 'the contract accepted a body without a post')
    return { id: post_id }
  }
  const post = postAt(url, baseUrls)
  if (post) return post
  const [example] = Object.values(baseUrls)
  throw invalidField('url', `must be the URL of a post on one of our sites, such as ${example}/p/post_…`)
}

async function assertPublic(db: Database, { id, kind }: Named): Promise<void> {
  const post = await db
    .selectFrom('posts')
    .select('status')
    .where('id', '=', id)
    .where('published_at', 'is not', null)
    .$if(kind !== undefined, (query) => query.where('kind', '=', String(kind)))
    .executeTakeFirst()
  if (!post) throw new Problem('post_not_found', 'The post does not exist on any site or is not public.')
  if (post.status !== 'published') throw new Problem('post_gone', 'The post has been taken down.')
}

/** The id and kind of the post at this URL, in any format; undefined if the URL is not a post on these sites. */
export function postAt(url: string, baseUrls: Readonly<Record<string, string>>) {
  const address = URL.parse(url)
  if (!address || !/^https?:$/.test(address.protocol)) return undefined
  const kind = Object.keys(baseUrls).find((name) => URL.parse(String(baseUrls[name]))?.host === address.host)
  const id = /^\/p\/(\w+)(\.json|\.md|\.ics)?$/.exec(address.pathname)?.[1]
  if (kind === undefined || !postId.safeParse(id).success) return undefined
  return { id: String(id), kind }
}
