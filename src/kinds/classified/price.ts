import { z } from 'zod'
import { checkedObject, type Filter } from '../define-kind.ts'
import { decimalsOf, isCurrency } from './currency.ts'

/** No honest price is higher in any currency, and below it a number holds every decimal exactly. */
const maxAmount = 1_000_000_000_000

const currency = z
  .string()
  .refine(isCurrency, 'must be a currency of ISO 4217, as its code of three capital letters, such as EUR')
  .meta({ description: 'ISO 4217, in capital letters.', pattern: '^[A-Z]{3}$', examples: ['EUR'] })

export const price = checkedObject(
  {
    amount: z
      .number()
      .min(0)
      .max(maxAmount)
      // A negative zero is zero, and must not be printed as -0.
      .overwrite((amount) => amount + 0)
      .meta({ description: 'With no more decimals than the currency has.', examples: [45.5] }),
    currency,
  },
  ({ amount, currency }) => {
    if (amount === undefined || currency === undefined) return []
    const decimals = decimalsOf(currency)
    if (Number(amount.toFixed(decimals)) === amount) return []
    return [{ path: ['amount'], message: `must have at most ${decimals} decimals: those that ${currency} has` }]
  },
).meta({ description: 'Leave it out where there is none to name.', examples: [{ amount: 45.5, currency: 'EUR' }] })

type Priced = { price?: { amount: number; currency: string } | undefined }

export function priceFacets({ price }: Priced): { currency?: string; price?: number } {
  return price ? { currency: price.currency, price: price.amount } : {}
}

const amountQuery = z
  .string()
  .regex(/^[0-9]{1,13}(\.[0-9]{1,3})?$/, 'must be an amount of money with a point for decimals, such as 45.50')
  .transform(Number)
  .pipe(z.number())

export const priceFilters = {
  currency: { query: currency, facet: 'currency', compare: 'equals' },
  min_price: {
    query: amountQuery.meta({ description: 'Ads of this price or more. Send currency too.', examples: ['10'] }),
    facet: 'price',
    compare: 'at_least',
  },
  max_price: {
    query: amountQuery.meta({ description: 'Ads of this price or less. Send currency too.', examples: ['45.50'] }),
    facet: 'price',
    compare: 'at_most',
  },
} satisfies Record<string, Filter>

type Price = { amount: number; currency: string }

/** `€1,450`, `US$45.50`, `Free`. British English, because it tells the dollars of the world apart. */
export function priceText({ amount, currency }: Price): string {
  if (amount === 0) return 'Free'
  return new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  }).format(amount)
}
