import type { Service } from './service.ts'

/** Puts an appeal of a rejected edit beside whatever else waits about a published post, and gives the key of its case. */
export async function stageAppealOfEdit(service: Pick<Service, 'clock' | 'asOwner'>, postId: string): Promise<string> {
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
