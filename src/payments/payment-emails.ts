import { ownerPageLink } from '../accounts/emails/layout.ts'
import type { OwnerEmails } from '../accounts/emails/notify-owner.ts'
import { amount } from '../markup/money.ts'
import type { Database } from '../platform/database/database.ts'

/** The emails about failed recharges, disputes and failed refunds. */
export const paymentEmails = {
  /** The subject is the payment. */
  recharge_failed: async (db, { accountId, subject, name, accountPageUrl }) => {
    const payment = await findPayment(db, accountId, subject)
    if (!payment) return null
    return {
      title: 'Your card was not charged',
      parts: [
        {
          says: `The balance of the account ${name} ran low, so we tried to charge ${dollars(payment)} to your card. ${whyFailed(payment.failure)}`,
        },
        {
          says: 'While the balance is low, we try again after an hour. After three failures in a row we turn auto-recharge off.',
        },
        ownerPageLink(accountPageUrl),
        { adds: 'Its agent can keep posting until the balance is used up.' },
      ],
    }
  },
  /** The subject is the latest failed payment. */
  recharge_off: async (db, { accountId, subject, name, accountPageUrl }) => {
    const payment = await findPayment(db, accountId, subject)
    return {
      title: 'Auto-recharge was turned off',
      parts: [
        {
          says: `Auto-recharge of the account ${name} has failed three times in a row, so we have turned it off. ${payment ? whyFailed(payment.failure) : ''}`.trim(),
        },
        { says: 'To continue, add another card or top up, and turn auto-recharge on again.' },
        ownerPageLink(accountPageUrl),
      ],
    }
  },
  /** The subject is the dispute. */
  payment_disputed: async (db, { accountId, subject, name, accountPageUrl }) => {
    const dispute = await findDispute(db, accountId, subject)
    if (!dispute) return null
    return {
      title: 'A payment to your account is disputed',
      parts: [
        {
          says: `A cardholder disputed a payment of ${dollars(dispute)} to the account ${name}.`,
        },
        {
          says: 'We hold that amount until the bank decides. We took it from the balance, and any amount above the balance is now owed. Auto-recharge is off.',
        },
        ownerPageLink(accountPageUrl),
        { adds: 'If it is your card and the dispute is a mistake, tell your bank that you made the payment.' },
      ],
    }
  },
  /** The subject is the dispute. */
  dispute_closed: async (db, { accountId, subject, name, accountPageUrl }) => {
    const dispute = await findDispute(db, accountId, subject)
    if (!dispute || dispute.status === 'open') return null
    const outcome =
      dispute.status === 'won'
        ? `The bank decided in our favour, and we returned ${dollars(dispute)} to the account ${name}.`
        : `The bank returned ${dollars(dispute)} to the cardholder. The amount stays deducted from the account ${name}.`
    return { title: 'A payment dispute is closed', parts: [{ says: outcome }, ownerPageLink(accountPageUrl)] }
  },
  /** The subject is the refund. */
  refund_failed: async (db, { accountId, subject, name, accountPageUrl }) => {
    const refund = await db
      .selectFrom('payment_refunds')
      .innerJoin('payments', 'payments.id', 'payment_refunds.payment_id')
      .select('payment_refunds.amount_micros')
      .where('payment_refunds.id', '=', subject)
      .where('payments.account_id', '=', accountId)
      .executeTakeFirst()
    if (!refund) return null
    return {
      title: 'A refund did not reach your card',
      parts: [
        {
          says: `We refunded ${dollars(refund)} from account ${name} to the card used for the payment, but the bank rejected the refund. The card may have been closed.`,
        },
        {
          says: 'The amount is back in your balance. You can spend it, or reply to this email and we will find another way.',
        },
        ownerPageLink(accountPageUrl),
      ],
    }
  },
} satisfies OwnerEmails

const findPayment = (db: Database, accountId: string, id: string) =>
  db
    .selectFrom('payments')
    .select(['amount_micros', 'failure'])
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()

const findDispute = (db: Database, accountId: string, reference: string) =>
  db
    .selectFrom('payment_disputes')
    .innerJoin('payments', 'payments.id', 'payment_disputes.payment_id')
    .select(['payment_disputes.amount_micros', 'payment_disputes.status'])
    .where('payment_disputes.reference', '=', reference)
    .where('payments.account_id', '=', accountId)
    .executeTakeFirst()

const whyFailed = (failure: string | null) => failures[failure ?? ''] ?? 'The payment failed.'

const failures: Record<string, string> = {
  card_declined: 'The bank declined the payment.',
  insufficient_funds: 'The card had insufficient funds.',
  expired_card: 'The card has expired.',
  authentication_required: 'Your bank requires you to confirm the payment. Top up on the owner page to do so.',
}

/** Cards are charged in whole cents. */
const dollars = ({ amount_micros }: { amount_micros: number }) => amount(amount_micros)
