import { sql } from 'kysely'
import type { PaymentCause, PaymentStatus } from '../../generated/database-types.ts'
import type { Database } from '../platform/database/database.ts'

export type PaymentRecord = {
  id: string
  account_id: string
  cause: PaymentCause
  provider: string
  amount_micros: number
  status: PaymentStatus
  failure: string | null
  created_at: Date
  settled_at: Date | null
  /** Refunded or being refunded. */
  refunded_micros: number
  /** Held or lost because of a dispute. */
  disputed_micros: number
}

type Page = { accountId: string; before?: string | undefined; limit: number }

/** The account's payments, newest first. `before` is the last id of the previous page. */
export function listPayments(db: Database, { accountId, before, limit }: Page): Promise<PaymentRecord[]> {
  return records(db)
    .where('account_id', '=', accountId)
    .$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** One payment, if it belongs to the account. */
export function readOwnPayment(
  db: Database,
  { accountId, paymentId }: { accountId: string; paymentId: string },
): Promise<PaymentRecord | undefined> {
  return records(db).where('account_id', '=', accountId).where('id', '=', paymentId).executeTakeFirst()
}

type Listed = { accountId?: string | undefined; open: boolean; limit: number }

/** The newest payments with the provider's ids, optionally for one account. `open` lists only unpaid ones. */
export function listAllPayments(db: Database, { accountId, open, limit }: Listed) {
  return records(db)
    .select(['reference', 'intent'])
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', String(accountId)))
    .$if(open, (query) => query.where('status', '=', 'started'))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

const records = (db: Database) =>
  db
    .selectFrom('payments')
    .select(['id', 'account_id', 'cause', 'provider', 'amount_micros', 'status', 'failure', 'created_at', 'settled_at'])
    .select([
      sql<number>`coalesce((
        select sum(amount_micros) from payment_refunds where payment_id = payments.id and status <> 'failed'
      ), 0)::bigint`.as('refunded_micros'),
      sql<number>`coalesce((
        select sum(amount_micros) from payment_disputes where payment_id = payments.id and status <> 'won'
      ), 0)::bigint`.as('disputed_micros'),
    ])
