import { addStrike, takeStrikeBack } from '../../accounts/strikes.ts'
import { feeReturnedInReview, keptFee, refund } from '../../ledger/charges.ts'
import { settleDebt } from '../../ledger/deposits.ts'
import { prices } from '../../ledger/prices.ts'
import { penalty, returnPenalty } from '../../ledger/split-transfers.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { DecisionOutcome } from '../../platform/database/database-types.ts'
import type { EditStatus, PostStatus } from '../../posts/status/lifecycle.ts'
import { ledgerSubject } from '../../posts/submit/quote.ts'

export type Consequence = {
  /** What becomes of the post; null leaves its status as it is. */
  post: PostStatus | null
  /** What becomes of an edit, when the decision is about one. */
  edit: EditStatus | null
  /** All that was charged comes back. */
  refunds: boolean
  /** The price is taken nine times more, with the fee if it was returned during the review, and a strike is added. */
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

/** Moves the money and counts the strikes of a decision. It is called once for each, under the lock of the post. */
export async function settle(
  tx: Transaction,
  consequence: Pick<Consequence, 'refunds' | 'punishes' | 'absolves'>,
  { accountId, postId, edit, priceMicros, at }: Case,
): Promise<void> {
  const subject = ledgerSubject(postId, edit)
  const before = await countPunishments(tx, postId, edit)
  const whose = { accountId, at }
  if (consequence.refunds) {
    const amountMicros = await keptFee(tx, { accountId, subject })
    if (amountMicros > 0) await refund(tx, { ...whose, subject, amountMicros })
  }
  if (consequence.punishes) {
    // Ten times the price in all, links once: a fee that was returned during the review is taken again.
    const returnedMicros = await feeReturnedInReview(tx, { accountId, subject })
    const amountMicros = (prices.abuseMultiplier - 1) * priceMicros + returnedMicros
    await penalty(tx, { ...whose, subject: punishment(subject, edit, before + 1), amountMicros })
    await addStrike(tx, { accountId, postId, edit, at })
  }
  if (consequence.absolves) {
    await returnPenalty(tx, { ...whose, subject: punishment(subject, edit, before) })
    await takeStrikeBack(tx, { accountId, postId, edit })
  }
  if (consequence.refunds || consequence.absolves) await settleDebt(tx, { ...whose, subject: `${subject}/${before}` })
}

/** A post that was removed, restored and removed again is punished twice: each time has a name of its own in the ledger. */
const punishment = (subject: string, edit: number, count: number) =>
  count <= 1 ? subject : `${subject}${edit === 0 ? '/0' : ''}/${count}`

async function countPunishments(tx: Transaction, postId: string, edit: number): Promise<number> {
  const { count } = await tx
    .selectFrom('moderation_decisions')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('post_id', '=', postId)
    .where('edit', '=', edit)
    .where('outcome', 'in', ['abuse', 'remove'])
    .executeTakeFirstOrThrow()
  return count
}
