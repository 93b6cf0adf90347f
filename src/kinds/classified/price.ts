import { z } from 'zod'
import { checkedObject, type Filter } from '../define-kind.ts'
import { decimalsOf, isCurrency, listCurrencies } from './currency.ts'

/** Higher than any realistic price in any currency, and low enough that amounts are exact to the last decimal. */
const maxAmount = 1_000_000_000_000

const currency = z
  .string()
  .refine(isCurrency, 'must be an ISO 4217 currency code of three capital letters, such as EUR')
  .meta({ description: 'ISO 4217, in capital letters.', pattern: '^[A-Z]{3}$', examples: ['EUR'] })

export const price = checkedObject(
  {
    amount: z
      .number()
      .min(0)
      .max(maxAmount)
      // Turns a negative zero into zero, so that it is not printed as -0.
      .overwrite((amount) => amount + 0)
      .meta({ description: 'With at most as many decimals as the currency has.', examples: [45.5] }),
    currency,
  },
  ({ amount, currency }) => {
    if (amount === undefined || currency === undefined) return []
    const decimals = decimalsOf(currency)
    if (Number(amount.toFixed(decimals)) === amount) return []
    return [{ path: ['amount'], message: `must have at most ${decimals} decimals in ${currency}` }]
  },
).meta({ description: 'Omit it if there is no price.', examples: [{ amount: 45.5, currency: 'EUR' }] })

type Priced = { price?: { amount: number; currency: string } | undefined }

export function priceFacets({ price }: Priced): { currency?: string; price?: number } {
  return price ? { currency: price.currency, price: price.amount } : {}
}

const amountQuery = z
  .string()
  .regex(/^[0-9]{1,13}(\.[0-9]{1,3})?$/, 'must be an amount with a decimal point, such as 45.50')
  .transform(Number)
  .pipe(z.number())

export const priceFilters = {
  currency: {
    query: currency,
    facet: 'currency',
    compare: 'equals',
    search: { label: 'Currency', anyLabel: 'Any currency', options: currencyOptions },
  },
  min_price: {
    query: amountQuery.meta({ description: 'Ads with at least this price. Also send currency.', examples: ['10'] }),
    facet: 'price',
    compare: 'at_least',
    search: { label: 'Lowest price', amount: true },
  },
  max_price: {
    query: amountQuery.meta({ description: 'Ads with at most this price. Also send currency.', examples: ['1500'] }),
    facet: 'price',
    compare: 'at_most',
    search: { label: 'Highest price', amount: true },
  },
} satisfies Record<string, Filter>

function currencyOptions() {
  return listCurrencies().map(({ code, name }) => ({ value: code, label: `${code} · ${name}` }))
}

type Price = { amount: number; currency: string }

/** `€1,450`, `US$45.50`, `Free`. British English, because it distinguishes the dollar currencies. */
export function priceText({ amount, currency }: Price): string {
  if (amount === 0) return 'Free'
  const format = (currencyDisplay: 'symbol' | 'code') =>
    new Intl.NumberFormat('en-GB', {
      style: 'currency',
      ...{ currency, currencyDisplay, trailingZeroDisplay: 'stripIfInteger' },
    }).format(amount)
  const withSymbol = format('symbol')
  return hasOtherSigns.test(withSymbol) ? format('code') : withSymbol
}

/** Signs such as ₩, which the typeface of prices lacks. */
const hasOtherSigns = /[^\u0020-\u024f€]/
