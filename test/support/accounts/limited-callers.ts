import { openOwner } from '../../../tooling/clients/owner.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { seedKey } from './create-key.ts'

export type LimitedCallers = Awaited<ReturnType<typeof seedLimitedCallers>>

/**
 * Two keys of the account that its owner has limited, the owner's own session, and that of a banned account's owner.
 */
export async function seedLimitedCallers(service: Service, accountId: string, bannedId: string) {
  return {
    readOnlyKey: (await seedKey(service, { accountId, slot: 2, scope: 'read' })).apiKey,
    cappedKey: (await seedKey(service, { accountId, slot: 3, dailyCapMicros: 0 })).apiKey,
    owner: (await openOwner(service, accountId)).token,
    bannedOwner: (await openOwner(service, bannedId)).token,
  }
}

/** Does the work with a key that may spend nothing, while its account has money. */
export async function withCappedKey<Result>(
  service: Service,
  accountId: string,
  work: (apiKey: string) => Promise<Result>,
): Promise<Result> {
  const { apiKey } = await seedKey(service, { accountId, slot: 2, dailyCapMicros: 0 })
  const setBalance = (micros: number) =>
    service.asOwner('update balances set prepaid_micros = $1 where account_id = $2', [micros, accountId])
  await setBalance(1_000_000)
  const result = await work(apiKey)
  await setBalance(0)
  return result
}
