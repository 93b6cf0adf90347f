import type { DecisionOutcome } from '../../../generated/database-types.ts'
import { addStrike, takeStrikeBack } from '../../accounts/strikes.ts'
import { feeReturnedInReview, keptFee, refund } from '../../ledger/charges.ts'
import { settleDebt } from '../../ledger/deposits.ts'
import { prices } from '../../ledger/prices.ts'
import { penalty, returnPenalty } from '../../ledger/split-transfers.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { EditStatus, PostStatus } from '../../posts/status/lifecycle.ts'
import { ledgerSubject } from '../../posts/submit/quote.ts'
import { notifyOfPenalty } from './penalty-emails.ts'

export type Consequence = {
  /** The new status of the post, if the decision is about the post itself. */
  post: PostStatus | null
  /** The new status of the edit, if the decision is about one. Null for decisions that do not apply to edits. */
  edit: EditStatus | null
  /** Refunds the fee, unless it was already refunded. */
  refunds: boolean
  /**
   * Charges nine times the price on top of the fee, charges the fee again if it was refunded during the review, and
   * adds a strike.
   */
  punishes: boolean
  /** Reverses the penalty and the strike. */
  absolves: boolean
}

const nothing = { post: null, edit: null, refunds: false, punishes: false, absolves: false } as const

/** The consequences of each outcome, in one table that is easy to review. */
export const consequences: Record<DecisionOutcome, Consequence> = {
  publish: { ...nothing, post: 'published', edit: 'accepted' },
  low_quality: { ...nothing, post: 'rejected', edit: 'rejected', refunds: true },
  abuse: { ...nothing, post: 'rejected', edit: 'rejected', punishes: true },
  review: { ...nothing, post: 'review', edit: 'review' },
  remove: { ...nothing, post: 'removed', punishes: true },
  restore: { ...nothing, post: 'published', absolves: true },
}

type Case = { accountId: string; postId: string; edit: number; priceMicros: number; at: Date }

/**
 * Moves the money, updates the strikes, and queues the email about a strike. Called once per decision, while the post
 * is locked.
 */
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
    // The total is ten times the price, plus the charge for links, once. A fee that was refunded during the review is
    // charged again.
    const returnedMicros = await feeReturnedInReview(tx, { accountId, subject })
    const amountMicros = (prices.abuseMultiplier - 1) * priceMicros + returnedMicros
    await penalty(tx, { ...whose, subject: punishment(subject, edit, before + 1), amountMicros })
    await addStrike(tx, { accountId, postId, edit, at })
    await notifyOfPenalty(tx, { accountId, postId, edit, at })
  }
  if (consequence.absolves) {
    await returnPenalty(tx, { ...whose, subject: punishment(subject, edit, before) })
    await takeStrikeBack(tx, { accountId, postId, edit })
  }
  if (consequence.refunds || consequence.absolves) await settleDebt(tx, { ...whose, subject: `${subject}/${before}` })
}

/**
 * A post that is removed, restored and removed again is penalised twice, so each penalty needs a distinct subject in
 * the ledger.
 */
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
