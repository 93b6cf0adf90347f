import { openOwner } from './owner.ts'
import type { Service } from './service.ts'
import { stageKey } from './stage-key.ts'

export type LimitedCallers = Awaited<ReturnType<typeof stageLimitedCallers>>

/** Two keys of the account that its owner has limited, the owner's own session, and that of a banned account's owner. */
export async function stageLimitedCallers(service: Service, accountId: string, bannedId: string) {
  return {
    readOnlyKey: (await stageKey(service, { accountId, slot: 2, scope: 'read' })).apiKey,
    cappedKey: (await stageKey(service, { accountId, slot: 3, dailyCapMicros: 0 })).apiKey,
    owner: (await openOwner(service, accountId)).token,
    bannedOwner: (await openOwner(service, bannedId)).token,
  }
}

/** Does the work with a key that may spend nothing, of an account that meanwhile has money. */
export async function withCappedKey<Result>(
  service: Service,
  accountId: string,
  work: (apiKey: string) => Promise<Result>,
): Promise<Result> {
  const { apiKey } = await stageKey(service, { accountId, slot: 2, dailyCapMicros: 0 })
  const setBalance = (micros: number) =>
    service.asOwner('update balances set prepaid_micros = $1 where account_id = $2', [micros, accountId])
  await setBalance(1_000_000)
  const result = await work(apiKey)
  await setBalance(0)
  return result
}
