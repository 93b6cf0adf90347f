import { type Kind, kinds } from '../../../src/kinds/index.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import { policy } from '../../../src/policy/policy.ts'
import { reasonFor } from '../../../src/policy/reasons.ts'
import { writeSearchEntry } from '../../../src/posts/public/search-entries.ts'
import type { Service } from '../../../tooling/environment/service.ts'

export type PostSeed = {
  accountId: string
  status: 'queued' | 'review' | 'published' | 'rejected' | 'removed' | 'deleted'
}

/** Creates a post in the given status, without a charge, a judge or a job. */
export async function seedPost(service: Service, kind: Kind, { accountId, status }: PostSeed): Promise<string> {
  const at = service.clock.now()
  const id = newId('post', at)
  const body = kind.body.parse(kind.examples[0])
  const [content, facets] = [JSON.stringify(body), JSON.stringify(kind.facets(body))]
  await service.asOwner(
    `insert into posts (id, account_id, kind, status, content, facets, created_at)
     values ($1, $2, $3, 'queued', $4, $5, $6)`,
    [id, accountId, kind.name, content, facets, at],
  )
  if (status === 'queued') return id
  const outcomes = { review: 'review', published: 'publish', rejected: 'abuse', removed: 'remove', deleted: 'publish' }
  const isRefused = status === 'rejected' || status === 'removed'
  await service.asOwner(
    `insert into moderation_decisions (post_id, outcome, category, reason, automated, actor, policy_version, decided_at)
     values ($1, $2, $3, $4, true, 'model:test', $5, $6)`,
    [id, outcomes[status], isRefused ? 'spam' : null, isRefused ? reasonFor('spam') : null, policy.version, at],
  )
  if (status === 'removed')
    await service.asOwner("update posts set status = 'published', published_at = $2 where id = $1", [id, at])
  await service.asOwner(
    `update posts set status = $2::post_status, decided_at = $3::timestamptz, listed = $2 = 'published',
       published_at = case when $2 in ('published', 'removed') then $3::timestamptz end,
       content = case when $2 = 'deleted' then null else content end
     where id = $1`,
    [id, status, at],
  )
  return id
}

export const kindNamed = (name: string) => kinds.find((kind) => kind.name === name) as Kind

export type Listed = { kind: string | Kind; body: object; publishedAt: Date; accountId: string }

/** Adds a post to the lists and to search as if published at that time: no interface publishes into the past. */
export async function seedListedPost(service: Service, { kind: given, body, publishedAt, accountId }: Listed) {
  const kind = typeof given === 'string' ? kindNamed(given) : given
  const id = newId('post', publishedAt)
  const content = kind.body.parse(body)
  const visibleUntil = kind.visibleUntil(content, publishedAt)
  await service.asOwner(
    `insert into posts (id, account_id, kind, status, content, facets, created_at) values ($1, $2, $3, 'queued', $4, $5, $6)`,
    [id, accountId, kind.name, JSON.stringify(content), JSON.stringify(kind.facets(content)), publishedAt],
  )
  await service.asOwner(
    "update posts set status = 'published', published_at = $2, visible_until = $3, listed = true where id = $1",
    [id, publishedAt, visibleUntil],
  )
  await service.asWorker((tx) => writeSearchEntry(tx, { kind, id, content, publishedAt, visibleUntil }))
  return id
}

/** Adds an appeal of a rejected edit to the other cases of a published post, and returns the key of its case. */
export async function seedAppealOfEdit(service: Pick<Service, 'clock' | 'asOwner'>, postId: string): Promise<string> {
  const at = service.clock.now()
  const statements = [
    "insert into post_edits (post_id, number, status, facets, submitted_at) values ($1, 1, 'queued', '{}', $2)",
    "update post_edits set status = 'rejected', decided_at = $2 where post_id = $1",
    `insert into moderation_decisions (post_id, edit, outcome, category, automated, actor, policy_version, decided_at)
     values ($1, 1, 'low_quality', 'low_quality', true, 'model:test', 'v', $2)`,
    `insert into appeals (post_id, edit, account_id, submitted_at)
     select id, 1, account_id, $2 from posts where id = $1`,
  ]
  for (const statement of statements) await service.asOwner(statement, [postId, at])
  return `appeal:${postId}:1`
}
