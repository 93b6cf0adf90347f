import { type Database, type Transaction, violatedConstraint } from '../platform/database.ts'
import type { LedgerBook, LedgerReason } from '../platform/database-types.ts'
import { newId } from '../platform/identifiers.ts'

export type Transfer = {
  accountId: string
  from: LedgerBook
  to: LedgerBook
  amountMicros: number
  reason: LedgerReason
  /** What it is for: a post, a top-up, an operator's command. The same subject and reason are booked once. */
  subject: string
  part?: number
  at: Date
}

/** `done` when this call booked it, `already` when an earlier one had. */
export type Booked = 'done' | 'already'

/**
 * Books a transfer once, whatever is retried. One statement: the insert claims the purpose, the trigger moves the
 * balance, and a check refuses what would make it negative; all of it stays or none. So it may stand alone or take part
 * in a transaction.
 */
export async function bookTransfer(db: Database | Transaction, transfer: Transfer): Promise<Booked> {
  try {
    const booked = await db
      .insertInto('ledger_transfers')
      .values({
        id: newId('txn', transfer.at),
        account_id: transfer.accountId,
        from_book: transfer.from,
        to_book: transfer.to,
        amount_micros: transfer.amountMicros,
        reason: transfer.reason,
        subject: transfer.subject,
        part: transfer.part ?? 0,
        entered_at: transfer.at,
      })
      .onConflict((conflict) => conflict.constraint('transfer_once').doNothing())
      .executeTakeFirst()
    return booked.numInsertedOrUpdatedRows === 1n ? 'done' : 'already'
  } catch (error) {
    const constraint = violatedConstraint(error)
    if (constraint === 'prepaid_never_negative' || constraint === 'debt_comes_first')
      throw new BalanceTooLow('the prepaid balance does not reach', { cause: error })
    throw error
  }
}

/** The prepaid balance does not reach, or a debt stands before it. The transaction it happened in is lost. */
export class BalanceTooLow extends Error {}
