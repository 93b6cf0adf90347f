import type { Kind } from '../../../src/kinds/index.ts'
import { applyDecision } from '../../../src/moderation/decisions/apply-decision.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import type { Service } from '../../../tooling/environment/service.ts'

export type ToPublish = { kind: Kind; accountId: string; changes?: object }

/** Publishes the first example of the kind with these changes, as the model would, without a charge. */
export async function publishAsModel(service: Service, { kind, accountId, changes }: ToPublish): Promise<string> {
  const at = service.clock.now()
  const id = newId('post', at)
  const body = kind.body.parse({ ...kind.examples[0], ...changes })
  await service.asOwner(
    `insert into posts (id, account_id, kind, status, content, facets, created_at)
     values ($1, $2, $3, 'queued', $4, $5, $6)`,
    [id, accountId, kind.name, JSON.stringify(body), JSON.stringify(kind.facets(body)), at],
  )
  await service.asWorker((tx, sites) =>
    applyDecision(tx, sites, {
      ...{ postId: id, edit: 0, outcome: 'publish', category: null, from: ['queued'], at },
      by: { automated: true, actor: 'model:test' },
    }),
  )
  return id
}
