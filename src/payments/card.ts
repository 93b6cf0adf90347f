import { randomUUID } from 'node:crypto'
import { recordOwnerAction } from '../accounts/owner-audit-log.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import type { Card } from '../platform/payments/provider.ts'
import { findCustomer } from './customer.ts'
import type { PaymentDependencies, PaymentJobDependencies } from './dependencies.ts'

type Whose = { accountId: string }
export type StoredCard = Pick<Card, 'brand' | 'last4' | 'expires'>

/** The maximum number of cards to remove. A customer normally has one, but can add several in quick succession. */
const maxCards = 10

/** Creates the provider's page for adding a card. A job reads the card once the provider reports it. */
export async function startCardSetup(parts: PaymentDependencies, { accountId }: Whose): Promise<{ url: string }> {
  const { db, clock, payments, accountPageUrl } = parts
  if (payments.driver === 'manual') throw new Error('cards require a payment provider')
  const customer = await findCustomer({ ...parts, payments }, accountId)
  const returnUrl = `${accountPageUrl}/account/card`
  const page = await payments.startCardSetup({
    ...{ setupId: randomUUID(), accountId, customer },
    ...{ successUrl: returnUrl, cancelUrl: `${accountPageUrl}/account/money` },
  })
  await inTransaction(db, (tx) => recordOwnerAction(tx, { accountId, action: 'owner.start_card', at: clock.now() }))
  return { url: page.url }
}

/** Turns auto-recharge off first, so that the card is not charged again even if the provider fails to remove it. */
export async function removeCard({ db, clock, payments }: PaymentDependencies, { accountId }: Whose): Promise<void> {
  await inTransaction(db, async (tx) => {
    await stopRecharging(tx, accountId)
    await recordOwnerAction(tx, { accountId, action: 'owner.remove_card', at: clock.now() })
  })
  const stored = await readRow(db, accountId)
  if (!stored || payments.driver === 'manual') return
  if (stored.card) await payments.removeCard(stored.card)
  for (let count = 0; count < maxCards; count++) {
    const left = await payments.readCard(stored.customer)
    if (!left) break
    await payments.removeCard(left.card)
  }
  await storeCard(db, accountId, null)
}

/** Stores the account's newest card from the provider and removes the previous one, which the owner no longer sees. */
export async function readCard(
  { db, payments }: PaymentJobDependencies,
  { account_id }: { account_id: string },
): Promise<void> {
  const stored = await readRow(db, account_id)
  if (!stored || payments.driver === 'manual') return
  const card = await payments.readCard(stored.customer)
  await storeCard(db, account_id, card)
  if (card && stored.card && stored.card !== card.card) await payments.removeCard(stored.card)
}

/** The card as shown to the owner; null if none is on file. */
export async function readStoredCard(db: Database, accountId: string): Promise<StoredCard | null> {
  const row = await db
    .selectFrom('payment_customers')
    .select(['card_brand', 'card_last4', 'card_expires'])
    .where('account_id', '=', accountId)
    .where('card', 'is not', null)
    .executeTakeFirst()
  return row ? { brand: row.card_brand ?? '', last4: row.card_last4 ?? '', expires: row.card_expires ?? '' } : null
}

const readRow = (db: Database, accountId: string) =>
  db.selectFrom('payment_customers').select(['customer', 'card']).where('account_id', '=', accountId).executeTakeFirst()

/**
 * Without a card, auto-recharge is turned off. A new card resets the failure count. The account's row is locked first,
 * as when an account is closed, so that nothing is written after the account is closed.
 */
async function storeCard(db: Database, accountId: string, card: Card | null): Promise<void> {
  await inTransaction(db, async (tx) => {
    const open = await tx
      .updateTable('accounts')
      .set({ card_on_file: card !== null })
      .where('id', '=', accountId)
      .where('standing', '<>', 'closed')
      .executeTakeFirst()
    if (open.numUpdatedRows === 0n) return
    const before = await readRow(tx, accountId)
    await tx
      .updateTable('payment_customers')
      .set({
        card: card?.card ?? null,
        card_brand: card?.brand ?? null,
        card_last4: card?.last4 ?? null,
        card_expires: card?.expires ?? null,
      })
      .where('account_id', '=', accountId)
      .execute()
    if (!card) await stopRecharging(tx, accountId)
    else if (card.card !== before?.card) await resetRechargeFailures(tx, accountId)
  })
}

export async function resetRechargeFailures(tx: Transaction, accountId: string): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ recharge_failures: 0, recharge_failed_at: null })
    .where('id', '=', accountId)
    .execute()
}

export async function stopRecharging(tx: Transaction, accountId: string): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ auto_recharge_enabled: false })
    .where('id', '=', accountId)
    .where('auto_recharge_enabled', '=', true)
    .execute()
}
