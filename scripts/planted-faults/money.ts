import type { Fault } from './fault.ts'

const ledger = 'test/money/ledger.test.ts'
const outcomes = 'test/journeys/moderation/post-outcomes.test.ts'
const repeated = 'test/journeys/posts/idempotency-key.test.ts'

/** Charges, refunds, penalties, payments and repeats. */
export const moneyFaults: readonly Fault[] = [
  {
    says: 'A retry is charged again.',
    file: 'src/ledger/transfers.ts',
    find: 'subject: transfer.subject,',
    replace: "subject: newId('txn', transfer.at),",
    test: ledger,
    name: 'a charge is booked once per subject, however often it is requested',
  },
  {
    says: 'A balance can become negative.',
    file: 'migrations/0003_ledger.sql',
    find: 'check (prepaid_micros >= 0)',
    replace: 'check (prepaid_micros is not null)',
    test: ledger,
    name: 'a charge beyond the balance is refused and leaves nothing behind',
  },
  {
    says: 'The fee of a post that is rejected for low quality is kept.',
    file: 'src/moderation/decisions/consequences.ts',
    find: "edit: 'rejected', refunds: true }",
    replace: "edit: 'rejected' }",
    test: outcomes,
    name: 'low quality is rejected and refunded, without a strike',
  },
  {
    says: 'Abuse costs eleven times the price instead of ten.',
    file: 'src/moderation/decisions/consequences.ts',
    find: '(prices.abuseMultiplier - 1) * priceMicros',
    replace: 'prices.abuseMultiplier * priceMicros',
    test: outcomes,
    name: 'abuse costs ten times the post price and a strike',
  },
  {
    says: 'The requested amount is booked instead of the money that arrived.',
    file: 'src/payments/book-payment.ts',
    find: 'await bookReceived(tx, payment, state.amountMicros, booking)',
    replace: 'await bookReceived(tx, payment, payment.amount_micros, booking)',
    test: 'test/money/payments.test.ts',
    name: 'the received amount is booked, even if it differs from the requested one',
  },
  {
    says: 'An Idempotency-Key is accepted with another body.',
    file: 'src/calls/idempotency.ts',
    find: 'if (!row.fingerprint.equals(fingerprint))',
    replace: 'if (row.fingerprint.length !== fingerprint.length)',
    test: repeated,
    name: 'the same key with another body is refused',
  },
  {
    says: 'Repeats that arrive at the same time each make a post and a charge.',
    file: 'src/calls/idempotency.ts',
    find: 'first.created_at <=',
    replace: 'first.created_at >=',
    test: repeated,
    name: 'Invariant 2: twenty identical submissions at once give one post, one charge and one response',
  },
]
