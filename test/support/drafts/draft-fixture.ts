import assert from 'node:assert/strict'
import type { Draft, DraftAnswer } from '../../../clients/typescript/src/index.ts'
import { type DraftDecision, decideDrafts } from '../../../src/drafts/decide-drafts.ts'
import { enqueue } from '../../../src/jobs/enqueue.ts'
import { connect } from '../../../src/platform/database/database.ts'
import type { ApiClient } from '../../../tooling/clients/api-client.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { seedKey } from '../accounts/create-key.ts'

export type Author = Awaited<ReturnType<typeof createAuthor>>

/** An account whose second key needs the owner's approval for each post. */
export async function createAuthor(service: Service, balanceMicros?: number) {
  const account = await service.createCustomer(balanceMicros)
  await service.asOwner('update accounts set email_verified_at = created_at where id = $1', [account.id])
  const key = await seedKey(service, { accountId: account.id, slot: 2, scopes: ['read', 'publish_with_approval'] })
  return { ...account, approvedKey: key, waiting: service.client(key.apiKey) }
}

let texts = 0

/** A text that resembles no other. */
export function newText(): string {
  const words = Array.from({ length: 12 }, () => Math.random().toString(36).slice(2, 9))
  return `Notice ${++texts}: ${words.join(' ')}.`
}

/** Submits a message that must wait, and returns its draft. */
export async function submitDraftOf(
  client: ApiClient,
  { text = newText(), publishAt }: { text?: string; publishAt?: Date } = {},
): Promise<Draft> {
  return (await submitWaiting(client, { text, ...(publishAt && { publishAt }) })).draft
}

export async function submitWaiting(
  client: ApiClient,
  { text, publishAt, idempotencyKey }: { text: string; publishAt?: Date; idempotencyKey?: string },
): Promise<DraftAnswer> {
  const query = publishAt ? { publish_at: publishAt.toISOString() } : {}
  const { status, body } = await client.submitPost({ text }, query, idempotencyKey ? { idempotencyKey } : {})
  assert.equal(status, 202)
  assert.ok('draft' in body, JSON.stringify(body))
  return body
}

/** Decides like the owner page, with its rights. */
export async function decide(service: Service, accountId: string, decision: DraftDecision, ids: readonly string[]) {
  await using page = connect(service.database.urls.owner_page, { poolMax: 1, applicationName: 'test owner page' })
  return await decideDrafts(page.db, { accountId, ids, decision, at: service.clock.now() })
}

/** Runs a scheduled job as its schedule would, and waits for what follows. */
export async function runSweep(service: Service, name: 'submit-due-drafts' | 'expire-drafts' | 'purge-expired') {
  await service.asWorker((tx) => enqueue(tx, name, {}))
  await service.settle()
}

export const balanceOf = async ({ client }: Pick<Author, 'client'>): Promise<number> =>
  (await client.getAccount()).body.balance_micros

export const draftEvents = async ({ client }: Pick<Author, 'client'>) =>
  (await client.listEvents({ limit: 100 })).body.data.filter(({ type }) => type.startsWith('draft.'))
