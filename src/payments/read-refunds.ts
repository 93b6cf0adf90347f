import type { Database } from '../platform/database.ts'

/** Refunds of money that the operator took by hand, which only the operator can send. The oldest first. */
export const listAskedRefunds = (db: Database, limit: number) =>
  refunds(db)
    .where('payment_refunds.status', '=', 'asked')
    .where('payments.provider', '=', 'manual')
    .orderBy('payment_refunds.id')
    .limit(limit)
    .execute()

export const readAnyRefund = (db: Database, id: string) =>
  refunds(db).where('payment_refunds.id', '=', id).executeTakeFirst()

const refunds = (db: Database) =>
  db
    .selectFrom('payment_refunds')
    .innerJoin('payments', 'payments.id', 'payment_refunds.payment_id')
    .select(['payment_refunds.id', 'payment_refunds.payment_id', 'payment_refunds.amount_micros'])
    .select(['payments.account_id', 'payment_refunds.created_at'])
