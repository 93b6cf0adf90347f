import type { PaymentParts } from './parts.ts'

/** Ends a payment that nobody is to make any more. Should money come for it all the same, that is booked as usual. */
export async function giveUp({ db, clock }: Pick<PaymentParts, 'db' | 'clock'>, paymentId: string): Promise<void> {
  await db
    .updateTable('payments')
    .set({ status: 'cancelled', settled_at: clock.now() })
    .where('id', '=', paymentId)
    .where('status', '=', 'started')
    .execute()
}
