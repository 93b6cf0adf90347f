import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'

/** Refunds of manual payments, which only the operator can send, oldest first. */
export const listAskedRefunds = (db: Database, limit: number) =>
  refunds(db)
    .where('payment_refunds.status', '=', 'asked')
    .where('payments.provider', '=', 'manual')
    .orderBy('payment_refunds.id')
    .limit(limit)
    .execute()

/**
 * Refunds that failed after the owner closed the account. A refund stays listed until it is retried at the provider, or
 * until the operator pays it in another way and books a debit with the refund's id.
 */
export const listUnpaidRefunds = (db: Database, limit: number) =>
  refunds(db)
    .where('payment_refunds.status', '=', 'failed')
    .where(
      sql<boolean>`exists (
        select from audit_log
        where account_id = payments.account_id and action = 'owner.close_account' and at <= payment_refunds.settled_at
      )`,
    )
    .where(
      sql<boolean>`not exists (
        select from payment_refunds again
        where again.payment_id = payments.id
          and again.id > payment_refunds.id and again.amount_micros >= payment_refunds.amount_micros
      )`,
    )
    .where(
      sql<boolean>`not exists (
        select from ledger_transfers
        where subject = 'operator:' || payment_refunds.id and reason = 'debit' and account_id = payments.account_id
      )`,
    )
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
