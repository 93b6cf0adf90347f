import type { Html } from '../../markup/html.ts'
import { badge, type Tone } from '../../page-door/badge.ts'
import type { PaymentRecord } from '../../payments/read-payments.ts'
import type { PaymentStatus } from '../../platform/database-types.ts'

const badges: Record<PaymentStatus, { label: string; tone: Tone }> = {
  started: { label: 'not confirmed', tone: 'warn' },
  paid: { label: 'paid', tone: 'good' },
  failed: { label: 'failed', tone: 'bad' },
  cancelled: { label: 'cancelled', tone: null },
}

export const paymentBadge = ({ status }: Pick<PaymentRecord, 'status'>): Html =>
  badge(badges[status].label, badges[status].tone)

export const causeWords = ({ cause }: Pick<PaymentRecord, 'cause'>): string =>
  cause === 'recharge' ? 'Automatic recharge' : 'Top-up'

/** How it was paid. The provider alone knows the card. */
export const methodWords = ({ provider }: Pick<PaymentRecord, 'provider'>): string =>
  provider === 'manual' ? 'Directly to the operator' : 'Card, through Stripe'

/** Why a card brought no money, and what helps. */
export const failureWords = (failure: string | null): string => failures[failure ?? ''] ?? String(failures['other'])

const failures: Record<string, string> = {
  card_declined: 'The card was declined. Your bank can say why; another card may work.',
  insufficient_funds: 'The card has too little money on it. Another card may work.',
  expired_card: 'The card has expired. Use another one.',
  authentication_required:
    'The bank wants you to confirm the payment yourself. Top up once by hand, and follow its steps.',
  other: 'The payment did not succeed. Try again, or use another card.',
}
