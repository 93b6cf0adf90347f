import { sql } from 'kysely'
import type { KeyedCall } from '../contract/call.ts'
import { type EventType, testEvent } from '../contract/events.ts'
import { maxWebhooksPerAccount } from '../contract/limits.ts'
import { Problem } from '../contract/problems/problem.ts'
import { invalidField } from '../contract/problems/validation-errors.ts'
import { inTransaction, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identifiers.ts'
import { wakeLane } from './delivery/lanes.ts'
import { waitUntilWorkersSeeChange } from './delivery/worker-lease.ts'
import { maxSigningSecrets, secretOverlapMs } from './delivery-policy.ts'
import { keepSecret, newSecret } from './secrets.ts'
import { takeDeliveries } from './unproven-deliveries.ts'
import { assertOwnWebhook, webhookNotFound } from './webhook-record.ts'

type NewWebhook = { url: string; events: readonly EventType[] }

/** Registers an endpoint. Only this response contains the secret; the service stores it encrypted, for signing. */
export async function createWebhook(call: KeyedCall, { url, events }: NewWebhook) {
  const fault = await call.outbound.findFault(url)
  if (fault) throw invalidField('url', fault)
  const at = call.clock.now()
  const id = newId('wh', at)
  const secret = newSecret()
  const given = [...new Set(events)]
  await inTransaction(call.db, async (tx) => {
    await takeSlot(tx, { id, accountId: call.caller.accountId, url, events: given, at })
    await keepSecret(tx, call.sealing, { webhookId: id, number: 1, key: secret.key, at })
    await tx
      .insertInto('delivery_lanes')
      .values([
        { webhook_id: id, queue: 'first' },
        { webhook_id: id, queue: 'again' },
      ])
      .execute()
  })
  return { id, url, events: given, secret: secret.shown, created_at: at.toISOString() }
}

type Slot = { id: string; accountId: string; url: string; events: string[]; at: Date }

/**
 * Takes the lowest free slot number. If two requests choose the same one, the second waits for the first to commit and
 * takes the next. This way, the database enforces the limit per account without more locks.
 */
async function takeSlot(tx: Transaction, { id, accountId, url, events, at }: Slot): Promise<void> {
  for (let round = 0; round < maxWebhooksPerAccount; round++) {
    const { rows } = await sql<{ free: boolean; taken: boolean }>`
      with free as (
        select slot from generate_series(1, ${sql.lit(maxWebhooksPerAccount)}) as candidate(slot)
        where not exists (
          select from webhooks where account_id = ${accountId} and webhooks.slot = candidate.slot and deleted_at is null
        )
        order by slot limit 1
      ), taken as (
        insert into webhooks (id, account_id, slot, url, events, created_at)
        select ${id}, ${accountId}, slot, ${url}, ${events}, ${at} from free
        on conflict (account_id, slot) where deleted_at is null do nothing
        returning id
      )
      select exists (select from free) as free, exists (select from taken) as taken`.execute(tx)
    if (rows[0]?.taken) return
    if (!rows[0]?.free) break
  }
  throw new Problem(
    'too_many_webhooks',
    `An account can have up to ${maxWebhooksPerAccount} endpoints. Delete one first.`,
  )
}

/** Deletes an endpoint permanently. No attempt starts afterwards; one already sent may still arrive. */
export async function deleteWebhook({ db, clock, caller }: KeyedCall, id: string): Promise<void> {
  await inTransaction(db, (tx) => endWebhook(tx, { id, accountId: caller.accountId, at: clock.now() }))
  await waitUntilWorkersSeeChange(db, id)
}

type Ending = { id: string; accountId: string; at: Date }

/** The part of the deletion that runs in a transaction. Afterwards the caller waits for the workers. */
export async function endWebhook(tx: Transaction, { id, accountId, at }: Ending): Promise<void> {
  const deleted = await tx
    .updateTable('webhooks')
    .set((row) => ({ deleted_at: at, changes: row('changes', '+', 1) }))
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (deleted.numUpdatedRows !== 1n) throw webhookNotFound()
  await tx.deleteFrom('webhook_secrets').where('webhook_id', '=', id).execute()
  // One lane after another, in the same order everywhere, which prevents deadlocks.
  for (const queue of ['first', 'again'] as const)
    await tx
      .updateTable('delivery_lanes')
      .set({ due_at: null })
      .where('webhook_id', '=', id)
      .where('queue', '=', queue)
      .execute()
}

/**
 * Queues a signed test event for one endpoint. If it succeeds, the endpoint is proven, and a disabled one is enabled
 * again.
 */
export async function testWebhook({ db, clock, caller }: KeyedCall, id: string): Promise<string> {
  const at = clock.now()
  const eventId = newId('evt', at)
  await inTransaction(db, async (tx) => {
    await assertOwnWebhook(tx, caller.accountId, id)
    await takeDeliveries(tx, { id, accountId: caller.accountId, what: 'test', wanted: 1, at })
    await tx
      .insertInto('deliveries')
      .values({
        webhook_id: id,
        event_id: eventId,
        type: testEvent.type,
        status: 'pending',
        queue: 'first',
        due_at: at,
        created_at: at,
      })
      .execute()
    await wakeLane(tx, { webhookId: id, queue: 'first', at })
  })
  return eventId
}

/** Gives an endpoint a new secret. For a day, deliveries are signed with both the old and the new one. */
export async function rotateSecret({ db, clock, caller, sealing }: KeyedCall, id: string) {
  const at = clock.now()
  const retiresAt = new Date(at.getTime() + secretOverlapMs)
  const secret = newSecret()
  await inTransaction(db, async (tx) => {
    const changed = await tx
      .updateTable('webhooks')
      .set((row) => ({ changes: row('changes', '+', 1) }))
      .where('id', '=', id)
      .where('account_id', '=', caller.accountId)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!changed) throw webhookNotFound()
    const { rows } = await sql<{ number: number }>`
      update webhook_secrets set retires_at = ${retiresAt} where webhook_id = ${id} and retires_at is null
      returning number`.execute(tx)
    const number = (rows[0]?.number ?? 0) + 1
    await tx
      .deleteFrom('webhook_secrets')
      .where('webhook_id', '=', id)
      .where('number', '<=', number - maxSigningSecrets)
      .execute()
    await keepSecret(tx, sealing, { webhookId: id, number, key: secret.key, at })
  })
  await waitUntilWorkersSeeChange(db, id)
  return { id, secret: secret.shown, previous_secrets_sign_until: retiresAt.toISOString() }
}
