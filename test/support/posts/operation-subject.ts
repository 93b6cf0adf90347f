import type { Operation } from '../../../src/contract/define-operation.ts'
import type { Kind } from '../../../src/kinds/index.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import { exampleUrl } from '../../../src/webhooks/webhook-record.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { seedKey } from '../accounts/create-key.ts'
import { seedDraft } from '../drafts/seed-draft.ts'
import { type PostSeed, seedPost } from './create-post.ts'

type Subject = 'post' | 'draft' | 'webhook' | 'key'

/** The object in the path of an operation, or in the body of its example. */
export function subjectOf({ path, examples }: Operation): Subject | null {
  if (path.startsWith('/v1/posts/{id}') || namesPost(examples.body)) return 'post'
  if (path.startsWith('/v1/manage/keys/{id}')) return 'key'
  if (path.startsWith('/v1/drafts/{id}')) return 'draft'
  return path.startsWith('/v1/webhooks/{id}') ? 'webhook' : null
}

const namesPost = (body: unknown): body is { post_id: string } =>
  typeof body === 'object' && body !== null && 'post_id' in body

/** The status that a post needs for the operation. */
export const statusFor = ({ id }: Operation) => (id === 'appealPost' ? ('rejected' as const) : ('published' as const))

/** Creates the object that the operation is about, owned by the account, and frees capacity for what it creates. */
export async function seedSubject(
  service: Service,
  operation: Operation,
  { kind, accountId, status = statusFor(operation) }: { kind: Kind } & Pick<PostSeed, 'accountId'> & Partial<PostSeed>,
): Promise<Operation> {
  await service.asOwner('truncate post_signatures')
  await service.asOwner('delete from webhooks')
  await service.asOwner('delete from drafts')
  await service.asOwner('delete from api_keys where slot > $1', [keptSlots])
  if (operation.problems.includes('email_unverified'))
    await service.asOwner('update accounts set email_verified_at = created_at')
  const subject = subjectOf(operation)
  if (!subject) return operation
  const id = await {
    post: () => seedPost(service, kind, { accountId, status }),
    draft: () => seedDraft(service, { accountId, isSubmitted: status === 'queued' }),
    webhook: () => seedWebhook(service, accountId),
    key: async () => (await seedKey(service, { accountId, slot: keptSlots + 1 })).id,
  }[subject]()
  const { body } = operation.examples
  const named = namesPost(body) ? { body: { ...body, post_id: id } } : { params: { id } }
  return { ...operation, examples: { ...operation.examples, ...named } }
}

/** The callers' keys stay; everything created in tests is removed. */
const keptSlots = 5

export async function seedWebhook(service: Service, accountId: string): Promise<string> {
  const id = newId('wh', service.clock.now())
  await service.asOwner(
    `with endpoint as (
       insert into webhooks (id, account_id, slot, url, events, created_at, proven_at)
       values ($1, $2, 1, $3, '{post.published}', $4, $4) returning id
     )
     insert into delivery_lanes (webhook_id, queue) select id, unnest('{first,again}'::delivery_queue[]) from endpoint`,
    [id, accountId, exampleUrl, service.clock.now()],
  )
  return id
}
