import { addStrike, takeStrikeBack } from '../accounts/strikes.ts'
import { notReturned } from '../ledger/not-returned.ts'
import { penalty } from '../ledger/penalty.ts'
import { prices } from '../ledger/prices.ts'
import { refund } from '../ledger/refund.ts'
import { returnPenalty } from '../ledger/return-penalty.ts'
import type { Transaction } from '../platform/database.ts'
import type { DecisionOutcome } from '../platform/database-types.ts'
import type { EditStatus, PostStatus } from '../posts/lifecycle.ts'
import { ledgerSubject } from '../posts/quote.ts'

export type Consequence = {
  /** What becomes of the post; null leaves its status as it is. */
  post: PostStatus | null
  /** What becomes of an edit, when the decision is about one. */
  edit: EditStatus | null
  /** All that was charged comes back. */
  refunds: boolean
  /** The price is taken nine times more, and a strike is added. */
  punishes: boolean
  /** Penalty and strike are taken back. */
  absolves: boolean
}

const nothing = { post: null, edit: null, refunds: false, punishes: false, absolves: false } as const

/** What each decision brings with it. A reviewer holds this against the specification by eye. */
export const consequences: Record<DecisionOutcome, Consequence> = {
  publish: { ...nothing, post: 'published', edit: 'accepted' },
  low_quality: { ...nothing, post: 'rejected', edit: 'rejected', refunds: true },
  abuse: { ...nothing, post: 'rejected', edit: 'rejected', punishes: true },
  review: { ...nothing, post: 'review', edit: 'review' },
  remove: { ...nothing, post: 'removed', punishes: true },
  restore: { ...nothing, post: 'published', absolves: true },
}

type Case = { accountId: string; postId: string; edit: number; priceMicros: number; at: Date }

/** Moves the money and counts the strikes of a decision. Each transfer happens once, whatever is retried. */
export async function settle(
  tx: Transaction,
  consequence: Pick<Consequence, 'refunds' | 'punishes' | 'absolves'>,
  { accountId, postId, edit, priceMicros, at }: Case,
): Promise<void> {
  const whose = { accountId, subject: ledgerSubject(postId, edit), at }
  if (consequence.refunds) {
    const amountMicros = await notReturned(tx, { ...whose, taken: ['post', 'edit'], returned: 'refund' })
    if (amountMicros > 0) await refund(tx, { ...whose, amountMicros })
  }
  if (consequence.punishes) {
    await penalty(tx, { ...whose, amountMicros: (prices.abuseMultiplier - 1) * priceMicros })
    await addStrike(tx, accountId)
  }
  if (consequence.absolves) {
    await returnPenalty(tx, whose)
    await takeStrikeBack(tx, accountId)
  }
}
