import { draftLimits } from '../../../src/contract/draft-limits.ts'
import { createDraftLink } from '../../../src/drafts/draft-links.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import type { Service } from '../../../tooling/environment/service.ts'

type DraftSeed = {
  accountId: string
  text?: string
  publishAt?: Date | null
  totalMicros?: number
  /** The draft is a post already. */
  isSubmitted?: boolean
}

/** Creates a message that waits for the owner's approval, as if the account's first key had sent it. */
export async function seedDraft(service: Service, seed: DraftSeed): Promise<string> {
  const { accountId, text = 'The ferry leaves at noon.', publishAt = null, totalMicros = 20_000 } = seed
  const at = service.clock.now()
  const id = newId('draft', at)
  await service.asOwner(
    `insert into drafts (id, account_id, key_id, kind, content, total_micros, state, publish_at, expires_at, created_at)
     select $1, $2::text, id, 'message', $3, $4, 'awaiting_approval', $5, $6::timestamptz + interval '7 days', $6
     from api_keys where account_id = $2::text order by slot limit 1`,
    [id, accountId, JSON.stringify({ text, topics: [] }), totalMicros, publishAt, at],
  )
  if (seed.isSubmitted) {
    await service.asOwner("update drafts set state = 'scheduled', approved_at = created_at where id = $1", [id])
    await service.asOwner(
      "update drafts set state = 'submitted', post_id = $2, content = null, decided_at = created_at where id = $1",
      [id, newId('post', at)],
    )
  }
  return id
}

export async function seedDrafts(service: Service, accountId: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = 1; number <= count; number++)
    ids.push(await seedDraft(service, { accountId, text: `Notice number ${number} of the harbour.` }))
  return ids
}

/** Seeds as many drafts as may wait, and returns the query that asks for one more. */
export async function withManyDrafts(service: Service, accountId: string): Promise<string> {
  await seedDrafts(service, accountId, draftLimits.maxOpen)
  return `?publish_at=${new Date(service.clock.now().getTime() + 3_600_000).toISOString()}`
}

/** The token of a link in an email to the account's owner, whose address counts as verified before. */
export async function seedDraftLink(service: Service, accountId: string): Promise<string> {
  const { clock, accountPageUrl, workerDb } = service
  await service.asOwner(
    'update accounts set email_verified_at = coalesce(email_verified_at, created_at) where id = $1',
    [accountId],
  )
  const link = await createDraftLink(workerDb, { accountId, accountPageUrl, at: clock.now() })
  return link.split('/d/')[1] ?? ''
}
