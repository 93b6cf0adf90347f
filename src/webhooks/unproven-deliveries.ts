import { takeUses } from '../accounts/allowances.ts'
import { allowances, unprovenDeliveriesForTests } from '../contract/limits.ts'
import { Problem } from '../contract/problems/problem.ts'
import { secondsToMidnight } from '../contract/time/utc-day.ts'
import type { Transaction } from '../platform/database/database.ts'

const allowance = 'deliveries-to-unproven-endpoints'
const { max } = allowances[allowance]
const maxUses = { test: max, replay: max - unprovenDeliveriesForTests } as const

type Wanted = { id: string; accountId: string; what: keyof typeof maxUses; wanted: number; at: Date }

/**
 * How many of the wanted deliveries may go to an endpoint: all if it has answered a test with 2xx, else what is left of
 * the account's daily limit. Throws a problem if nothing is left. The database counts events in the same way.
 */
export async function takeDeliveries(tx: Transaction, { id, accountId, what, wanted, at }: Wanted): Promise<number> {
  const { proven_at } = await tx
    .selectFrom('webhooks')
    .select('proven_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (proven_at || wanted === 0) return wanted
  const taken = await takeUses(tx, { allowance, subject: accountId, at }, { wanted, max: maxUses[what] })
  if (taken === 0) throw limitReached(what, at)
  return taken
}

const ways = {
  test: 'Try again after 00:00 UTC.',
  replay: `Send a test event first: ${unprovenDeliveriesForTests} deliveries a day are left for tests.`,
} as const

const limitReached = (what: keyof typeof ways, at: Date) =>
  new Problem(
    allowances[allowance].problem,
    `This endpoint has never answered a test event with 2xx. Such endpoints get ${max} deliveries per account and day. ${ways[what]}`,
    { headers: { 'retry-after': String(secondsToMidnight(at)) } },
  )
