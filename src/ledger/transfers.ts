import { type Database, type Transaction, violatedConstraint } from '../platform/database/database.ts'
import type { LedgerBook, LedgerReason } from '../platform/database/database-types.ts'
import { newId } from '../platform/identifiers.ts'

export type Transfer = {
  /** Null where no book of a customer's is touched. */
  accountId: string | null
  from: LedgerBook
  to: LedgerBook
  amountMicros: number
  reason: LedgerReason
  /** What it is for: a post, a top-up, an operator's command. The same subject and reason are booked once. */
  subject: string
  part?: number
  /** Which key spends it, where one does. */
  keyId?: string | null
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
  const booked = await insert(db, transfer).catch((error) => {
    throw constraintErrors[violatedConstraint(error) ?? '']?.(error) ?? error
  })
  if (booked.numInsertedOrUpdatedRows === 1n) return 'done'
  await assertSamePurpose(db, transfer)
  return 'already'
}

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

/** The prepaid balance does not reach, or a debt stands before it. The transaction it happened in is lost. */
export class BalanceTooLow extends Error {}
/** The key has spent what its owner lets it spend in a day. The transaction it happened in is lost. */
export class KeyCapReached extends Error {}
/** More would come back than was charged for the subject. The transaction it happened in is lost. */
export class RefundTooLarge extends Error {}
/** The purpose was booked before, for another account or amount: this is no retry. */
export class PurposeTaken extends Error {}

const constraintErrors: Record<string, (cause: unknown) => Error> = {
  prepaid_never_negative: (cause) => new BalanceTooLow('the prepaid balance does not reach', { cause }),
  debt_comes_first: (cause) => new BalanceTooLow('a debt comes first', { cause }),
  key_keeps_within_cap: (cause) => new KeyCapReached('the key has spent its day’s cap', { cause }),
  refund_within_charge: (cause) => new RefundTooLarge('more than was charged', { cause }),
}

/** What takes from the prepaid balance as far as it reaches, and the rest as a debt, in parts. */
const splitReasons = ['penalty', 'payout', 'dispute'] as const satisfies readonly LedgerReason[]
export type SplitReason = (typeof splitReasons)[number]

const isSplit = (reason: LedgerReason): boolean => (splitReasons as readonly LedgerReason[]).includes(reason)

/** How much a part took depends on the balance it met, so a retry may come with another amount. */
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
    throw new PurposeTaken('the purpose was booked for something else')
}

type Purpose = { accountId: string; subject: string; taken: readonly LedgerReason[]; returned: readonly LedgerReason[] }

/** What was taken for a subject, by these reasons, and has not come back. */
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
