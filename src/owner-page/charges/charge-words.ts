import { kinds } from '../../kinds/index.ts'
import type { LedgerReason } from '../../platform/database-types.ts'
import { amount } from '../amount.ts'
import type { Charge } from './list-charges.ts'

/** What a transfer was, in the owner's words. */
export function chargeWords(charge: Told & Pick<Charge, 'reason' | 'kind'>): string {
  const noun = kinds.find(({ name }) => name === charge.kind)?.site.noun ?? 'post'
  return words[charge.reason]({ ...charge, noun })
}

type Told = Pick<Charge, 'cause' | 'from_book' | 'amount_micros' | 'takes_fee'>

const words: Record<LedgerReason, (told: Told & { noun: string }) => string> = {
  post: ({ noun }) => `Posting: ${noun}`,
  edit: ({ noun }) => `Edit: ${noun}`,
  search: () => 'Search beyond the free ones',
  refund: () => 'Refund of a fee',
  review_return: () => 'Fee returned: a person has not decided in time',
  penalty: ({ from_book, takes_fee }) =>
    `${from_book === 'owed' ? 'Penalty beyond the balance, now owed' : 'Penalty for abuse'}${takes_fee ? ', with the fee that had been returned' : ''}`,
  penalty_return: () => 'Penalty taken back',
  settlement: ({ amount_micros }) => `Debt of ${amount(amount_micros)} paid from the balance`,
  top_up: ({ cause }) => (cause === 'recharge' ? 'Automatic recharge' : 'Top-up'),
  payout: () => 'Unused balance sent back',
  payout_return: () => 'Refund that could not be paid out',
  dispute: () => 'Held back while a payment is disputed',
  dispute_return: () => 'Released: the dispute is over',
  dispute_loss: () => 'Disputed payment given back',
  credit: () => 'Credit from Broadside',
  debit: () => 'Credit taken back by Broadside',
}

/** How the transfer changed what the account has: its balance less what it owes. Paying a debt moves money within it. */
export function effectMicros({
  from_book,
  to_book,
  amount_micros,
}: Pick<Charge, 'from_book' | 'to_book' | 'amount_micros'>) {
  const isOwn = (book: string) => book === 'prepaid' || book === 'owed'
  return amount_micros * (Number(isOwn(to_book)) - Number(isOwn(from_book)))
}
