import { takeUse } from '../accounts/allowances.ts'
import { allowances } from '../contract/limits.ts'
import { Problem } from '../contract/problem.ts'
import { secondsToMidnight } from '../contract/utc-day.ts'
import type { Transaction } from '../platform/database.ts'

type Relay = { mailbox: string; seller: string; at: Date }

const refusals = {
  'relays-per-mailbox': 'The messages of today from your owner’s mailbox are used up.',
  // How many others wrote is the seller's affair.
  'relays-per-seller': 'This seller gets no more messages today.',
} as const

/**
 * Counts a message for the mailbox that it comes from and for the seller: further accounts bring no further messages. In
 * the transaction that stores it, so that one which is not stored is not counted, and always in this order of locks.
 */
export async function countRelay(tx: Transaction, { mailbox, seller, at }: Relay): Promise<void> {
  await countFor(tx, 'relays-per-mailbox', mailbox, at)
  await countFor(tx, 'relays-per-seller', seller, at)
}

async function countFor(tx: Transaction, allowance: keyof typeof refusals, subject: string, at: Date): Promise<void> {
  const { max, problem } = allowances[allowance]
  if ((await takeUse(tx, { allowance, subject, at }, max)) !== null) return
  throw new Problem(problem, refusals[allowance], { headers: { 'retry-after': String(secondsToMidnight(at)) } })
}
