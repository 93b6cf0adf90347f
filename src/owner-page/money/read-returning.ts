import type { Database } from '../../platform/database.ts'

/** By payment, what was asked for and has not arrived yet. */
export async function readReturning(db: Database, accountId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('payment_refunds')
    .innerJoin('payments', 'payments.id', 'payment_refunds.payment_id')
    .select((row) => ['payment_id', row.fn.sum<number>('payment_refunds.amount_micros').as('micros')])
    .where('payments.account_id', '=', accountId)
    .where('payment_refunds.status', 'in', ['asked', 'sent'])
    .groupBy('payment_id')
    .execute()
  return new Map(rows.map(({ payment_id, micros }) => [payment_id, Number(micros)]))
}
