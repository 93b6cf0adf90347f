import type { Kind } from '../../src/kinds/index.ts'
import { newId } from '../../src/platform/identifiers.ts'
import { policy } from '../../src/policy/policy.ts'
import { reasonFor } from '../../src/policy/reasons.ts'
import type { Service } from './service.ts'

export type Staged = {
  accountId: string
  status: 'queued' | 'review' | 'published' | 'rejected' | 'removed' | 'deleted'
}

/** Puts a post on the stage in the status that a test needs, without a charge, a judge or a job. */
export async function stagePost(service: Service, kind: Kind, { accountId, status }: Staged): Promise<string> {
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
