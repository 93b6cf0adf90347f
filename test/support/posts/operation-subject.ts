import type { Operation } from '../../../src/contract/define-operation.ts'
import type { Kind } from '../../../src/kinds/index.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import { exampleUrl } from '../../../src/webhooks/webhook-record.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { seedKey } from '../accounts/create-key.ts'
import { seedSigningKeys } from '../accounts/seed-signing-keys.ts'
import { seedDraft } from '../drafts/seed-draft.ts'
import { type PostSeed, seedPost } from './create-post.ts'
import { newSigner } from './signer.ts'

type Subject = 'post' | 'draft' | 'webhook' | 'key' | 'signing_key'

/** The object in the path of an operation, or in the body of its example. */
export function subjectOf({ path, examples }: Operation): Subject | null {
  if (path.startsWith('/v1/posts/{id}') || namesPost(examples.body)) return 'post'
  if (path.startsWith('/v1/manage/keys/{id}')) return 'key'
  if (path.startsWith('/v1/drafts/{id}')) return 'draft'
  if (path.startsWith('/v1/account/signing-keys/{key_id}')) return 'signing_key'
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
  await service.asOwner('delete from author_keys')
  await service.asOwner('delete from api_keys where slot > $1', [keptSlots])
  if (operation.problems.includes('email_unverified'))
    await service.asOwner('update accounts set email_verified_at = created_at')
  const subject = subjectOf(operation)
  if (operation.id === 'createSigningKey') return withProof(operation, accountId, String(service.baseUrls[kind.name]))
  if (!subject) return operation
  const id = await {
    post: () => seedPost(service, kind, { accountId, status }),
    draft: () => seedDraft(service, { accountId, isSubmitted: status === 'queued' }),
    webhook: () => seedWebhook(service, accountId),
    key: async () => (await seedKey(service, { accountId, slot: keptSlots + 1 })).id,
    signing_key: async () => (await seedSigningKeys(service, accountId))[0],
  }[subject]()
  const { body } = operation.examples
  const named = namesPost(body)
    ? { body: { ...body, post_id: id } }
    : { params: subject === 'signing_key' ? { key_id: id } : { id } }
  return { ...operation, examples: { ...operation.examples, ...named } }
}

/** The operation with a key of its own, because the proof of the example is of no account. */
function withProof(operation: Operation, account_id: string, origin: string): Operation {
  const body = { ...(operation.examples.body as object), ...newSigner().registration({ account_id, origin }) }
  return { ...operation, examples: { ...operation.examples, body } }
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
