import type { LedgerBook, LedgerReason } from '../../generated/database-types.ts'
import { type Database, type Transaction, violatedConstraint } from '../platform/database/database.ts'
import { newId } from '../platform/identifiers.ts'

export type Transfer = {
  /** Null if the customer's balance is not involved. */
  accountId: string | null
  from: LedgerBook
  to: LedgerBook
  amountMicros: number
  reason: LedgerReason
  /** A post, a top-up or an operator's command. The same subject, reason and part are booked only once. */
  subject: string
  part?: number
  /** The key that spends it, if any. */
  keyId?: string | null
  at: Date
}

/** `done` if this call booked it, `already` if an earlier one did. */
export type Booked = 'done' | 'already'

/**
 * Books a transfer once, regardless of retries. It is one atomic statement, so it can run alone or in a transaction.
 * The insert claims the purpose, the trigger updates the balance, and a check rejects a negative balance.
 */
export async function bookTransfer(db: Database | Transaction, transfer: Transfer): Promise<Booked> {
  const booked = await insert(db, transfer).catch((error) => {
    throw explainRefusal(error)
  })
  if (booked.numInsertedOrUpdatedRows === 1n) return 'done'
  await assertSamePurpose(db, transfer)
  return 'already'
}

const explainRefusal = (error: unknown) => constraintErrors[violatedConstraint(error) ?? '']?.(error) ?? error

function insert(db: Database | Transaction, transfer: Transfer) {
  return db
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
      key_id: transfer.keyId ?? null,
      entered_at: transfer.at,
    })
    .onConflict((conflict) => conflict.constraint('transfer_once').doNothing())
    .executeTakeFirst()
}

/** The prepaid balance is too low, or a debt must be paid first. The current transaction is aborted. */
export class BalanceTooLow extends Error {}
/** The key has reached its daily cap. The current transaction is aborted. */
export class KeyCapReached extends Error {}
/** The refund exceeds the charge for the subject. The current transaction is aborted. */
export class RefundTooLarge extends Error {}
/** The purpose was already booked with a different account or amount, so this is not a retry. */
export class PurposeTaken extends Error {}

const constraintErrors: Record<string, (cause: unknown) => Error> = {
  prepaid_never_negative: (cause) => new BalanceTooLow('prepaid balance too low', { cause }),
  debt_comes_first: (cause) => new BalanceTooLow('debt must be paid first', { cause }),
  key_keeps_within_cap: (cause) => new KeyCapReached('daily cap of the key reached', { cause }),
  refund_within_charge: (cause) => new RefundTooLarge('refund exceeds the charge', { cause }),
}

/** Transfers for these reasons are split: the prepaid balance pays as much as it can, and the rest becomes debt. */
const splitReasons = ['penalty', 'payout', 'dispute'] as const satisfies readonly LedgerReason[]
export type SplitReason = (typeof splitReasons)[number]

const isSplit = (reason: LedgerReason): boolean => (splitReasons as readonly LedgerReason[]).includes(reason)

/** A part's amount depends on the balance at that time, so a retry can have a different amount. */
async function assertSamePurpose(db: Database | Transaction, transfer: Transfer): Promise<void> {
  const { account_id, amount_micros } = await db
    .selectFrom('ledger_transfers')
    .select(['account_id', 'amount_micros'])
    .where('subject', '=', transfer.subject)
    .where('reason', '=', transfer.reason)
    .where('part', '=', transfer.part ?? 0)
    .executeTakeFirstOrThrow()
  const isSameAmount = isSplit(transfer.reason) || amount_micros === transfer.amountMicros
  if (account_id !== transfer.accountId || !isSameAmount)
    throw new PurposeTaken('already booked with a different account or amount')
}

type Purpose = { accountId: string; subject: string; taken: readonly LedgerReason[]; returned: readonly LedgerReason[] }

/** The amount taken for a subject with these reasons, minus the amount returned. */
export async function notReturned(tx: Transaction, { accountId, subject, taken, returned }: Purpose): Promise<number> {
  const rows = await tx
    .selectFrom('ledger_transfers')
    .select(['reason', 'amount_micros'])
    .where('subject', '=', subject)
    .where('account_id', '=', accountId)
    .where('reason', 'in', [...taken, ...returned])
    .execute()
  return rows.reduce((sum, row) => sum + (returned.includes(row.reason) ? -row.amount_micros : row.amount_micros), 0)
}
