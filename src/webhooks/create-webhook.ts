import { sql } from 'kysely'
import type { EventType } from '../contract/events.ts'
import { maxWebhooksPerAccount } from '../contract/limits.ts'
import { Problem } from '../contract/problem.ts'
import { unfitMember } from '../contract/unfit-member.ts'
import type { KeyedCall } from '../platform/call.ts'
import { inTransaction, type Transaction } from '../platform/database.ts'
import { newId } from '../platform/identifiers.ts'
import { keepSecret, newSecret } from './secret.ts'

type NewWebhook = { url: string; events: readonly EventType[] }

/** Registers an endpoint. The secret is in the answer, and is stored only so that it can sign. */
export async function createWebhook(call: KeyedCall, { url, events }: NewWebhook) {
  const fault = await call.outbound.findFault(url)
  if (fault) throw unfitMember('url', fault)
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
 * Takes the lowest free place. Of two that want the same one, the second waits for the first to commit and then looks for
 * the next; so the database holds an account to its number, and nothing else must be locked.
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
  throw new Problem('too_many_webhooks', `An account has up to ${maxWebhooksPerAccount} endpoints: delete one first.`)
}
