import { allowances } from '../../../src/contract/limits.ts'
import { type Kind, kinds } from '../../../src/kinds/index.ts'
import { openOwner } from '../../../tooling/clients/owner.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { seedPost } from '../posts/create-post.ts'
import { seedKey } from './create-key.ts'

export type LimitedCallers = Awaited<ReturnType<typeof seedLimitedCallers>>

/**
 * Three keys of the account that its owner has limited, the owner's own session, and that of a banned account's owner.
 */
export async function seedLimitedCallers(service: Service, accountId: string, bannedId: string) {
  return {
    readOnlyKey: (await seedKey(service, { accountId, slot: 2, scope: 'read' })).apiKey,
    narrowKey: (await seedKey(service, { accountId, slot: 4, scopes: ['read'] })).apiKey,
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

/** Acts while the account, which is new, has used up what it gets of people's time today. */
export async function withQuotasUsed<Result>(service: Service, accountId: string, act: () => Promise<Result>) {
  const post = await seedPost(service, kinds[0] as Kind, { accountId, status: 'published' })
  const at = service.clock.now()
  await service.asOwner(
    `insert into reviews (post_id, edit, account_id, reason, opened_at)
     select $1, number, $2, 'unsure', $3 from generate_series(1, $4::int) number`,
    [post, accountId, at, allowances['reviews-per-new-account'].max],
  )
  const appeals = 'appeals-per-new-account'
  await service.asOwner('delete from allowance_uses where allowance = $1', [appeals])
  await service.asOwner('insert into allowance_uses (allowance, subject, day, used) values ($1, $2, $3, $4)', [
    ...[appeals, accountId, at.toISOString().slice(0, 10), allowances[appeals].max],
  ])
  const result = await act()
  await service.asOwner('delete from reviews where post_id = $1', [post])
  await service.asOwner('delete from allowance_uses where allowance = $1', [appeals])
  return result
}
