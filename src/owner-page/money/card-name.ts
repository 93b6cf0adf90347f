import type { StoredCard } from '../../payments/card.ts'

/** `Visa ending in 4242` */
export function cardName({ brand, last4 }: Pick<StoredCard, 'brand' | 'last4'>): string {
  const name = brands[brand] ?? 'Card'
  return `${name} ending in ${last4}`
}

/** As the provider writes them, and as their makers do. */
const brands: Record<string, string> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}
