import { hashApiKey, newApiKey } from '../../../src/accounts/keys/api-key.ts'
import type { Scope } from '../../../src/contract/scopes.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import type { Service } from '../../../tooling/environment/service.ts'

type SeededKey = {
  accountId: string
  slot: number
  scope?: 'full' | 'read'
  scopes?: readonly Scope[]
  dailyCapMicros?: number | null
}

/** Another key of the account, without its owner. Slot 1 has the account's first key. */
export async function seedKey(service: Service, key: SeededKey) {
  const { accountId, slot, scopes, scope = scopes ? 'read' : 'full', dailyCapMicros } = key
  const apiKey = newApiKey()
  const at = service.clock.now()
  const id = newId('key', at)
  await service.asOwner(
    `insert into api_keys (id, account_id, slot, name, hash, last4, scope, scopes, daily_cap_micros, created_at)
     values ($1, $2, $3, 'seeded', $4, $5, $6, $7, $8, $9)`,
    [id, accountId, slot, hashApiKey(apiKey), apiKey.slice(-4), scope, scopes ?? null, dailyCapMicros ?? null, at],
  )
  return { id, apiKey }
}
