import { sql } from 'kysely'
import { recordOwnerAction } from '../../accounts/owner-audit-log.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { type Balance, lockBalance, readBalance } from '../../ledger/balance.ts'
import { unusedCreditMicros } from '../../ledger/deposits.ts'
import { payOut } from '../../ledger/split-transfers.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identifiers.ts'
import { stopRecharging } from '../card.ts'

type Asked = { accountId: string; at: Date }

const microsPerCent = 10_000

/** The part of the balance that can be refunded. Operator credits are used up first and never refunded. */
export async function refundableMicros(db: Database | Transaction, accountId: string): Promise<number> {
  const parts = await refundableParts(db, accountId, await readBalance(db, accountId))
  return parts.reduce((sum, { amountMicros }) => sum + amountMicros, 0)
}

/**
 * Takes the refundable amount out of the balance immediately and requests its refund. False if it is no longer
 * `amountMicros`, which the owner saw.
 */
export function askForRefund(db: Database, asked: Asked & { amountMicros: number }): Promise<boolean> {
  const { accountId, amountMicros, at } = asked
  return inTransaction(db, async (tx) => {
    await lockBalance(tx, accountId)
    if (amountMicros !== (await refundableMicros(tx, accountId))) return false
    await refundBalance(tx, { accountId, at })
    const details = { amount_micros: amountMicros }
    await recordOwnerAction(tx, { accountId, action: 'owner.ask_refund', at, details })
    return true
  })
}

/**
 * Takes the refundable amount out of the balance, which it locks, requests its refund and returns the amount. Turns
 * auto-recharge off, because money refunded to a card must not be charged to it again.
 */
export async function refundBalance(tx: Transaction, { accountId, at }: Asked): Promise<number> {
  const parts = await refundableParts(tx, accountId, await lockBalance(tx, accountId))
  for (const part of parts) await refundPayment(tx, { accountId, ...part, at })
  if (parts.length > 0) await stopRecharging(tx, accountId)
  return parts.reduce((sum, { amountMicros }) => sum + amountMicros, 0)
}

type Part = { paymentId: string; amountMicros: number }

/** Newest payments first, because an old card may no longer exist. Keeps the larger of the debt and the credits. */
async function refundableParts(
  db: Database | Transaction,
  accountId: string,
  { prepaidMicros, owedMicros }: Balance,
): Promise<Part[]> {
  const parts: Part[] = []
  let left = prepaidMicros - Math.max(owedMicros, await unusedCreditMicros(db, accountId))
  for (const { paymentId, amountMicros } of await readPaid(db, accountId)) {
    const part = wholeCents(Math.min(left, amountMicros))
    if (part <= 0) continue
    parts.push({ paymentId, amountMicros: part })
    left -= part
  }
  return parts
}

const wholeCents = (micros: number) => micros - (micros % microsPerCent)

/** The part of each payment that is neither refunded nor disputed. */
async function readPaid(db: Database | Transaction, accountId: string): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select payments.id as "paymentId", top_up.amount_micros
      - coalesce((
          select sum(amount_micros) from payment_refunds where payment_id = payments.id and status <> 'failed'
        ), 0)::bigint
      - coalesce((
          select sum(amount_micros) from payment_disputes where payment_id = payments.id and status <> 'won'
        ), 0)::bigint as "amountMicros"
    from payments join ledger_transfers top_up on top_up.subject = payments.id and top_up.reason = 'top_up'
    where payments.account_id = ${accountId} and payments.status = 'paid'
    order by payments.id desc`.execute(db)
  return rows
}

/** Takes a part of a payment out of the balance and requests its refund. */
export async function refundPayment(tx: Transaction, { accountId, paymentId, amountMicros, at }: Part & Asked) {
  const id = newId('rfd', at)
  await tx
    .insertInto('payment_refunds')
    .values({ id, payment_id: paymentId, amount_micros: amountMicros, created_at: at })
    .execute()
  await payOut(tx, { accountId, amountMicros, subject: id, at })
  await enqueue(tx, 'send-refund', { refund_id: id })
}
