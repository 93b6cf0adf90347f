/** In ICU's list but no longer in ISO 4217. */
const withdrawn = new Set(['HRK', 'SLL', 'ZWL'])

const currencies = new Set(Intl.supportedValuesOf('currency').filter((code) => !withdrawn.has(code)))

/**
 * Currencies that do not have two decimals in ISO 4217. `Intl` returns the number of decimals that shops usually show,
 * which can be lower: none for COP, HUF or PKR, although their prices can have two.
 */
const decimals = new Map<string, number>([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
])

export const isCurrency = (code: string): boolean => currencies.has(code)

/** The number of decimals that an amount in this currency can have. */
export const decimalsOf = (currency: string): number => decimals.get(currency) ?? 2

const names = new Intl.DisplayNames('en', { type: 'currency' })

/** All currencies, sorted by code, with their English names. */
export const listCurrencies = (): { code: string; name: string }[] =>
  [...currencies].sort().map((code) => ({ code, name: names.of(code) ?? code }))
