/** In ICU's list but no longer in ISO 4217. */
const withdrawn = new Set(['HRK', 'SLL', 'ZWL'])

const currencies = new Set(Intl.supportedValuesOf('currency').filter((code) => !withdrawn.has(code)))

/**
 * Currencies for which ISO 4217 does not have two decimals. `Intl` has the digits that shops show, which are fewer:
 * none for COP, HUF or PKR, whose prices can have two.
 */
const decimals = new Map<string, number>([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
])

export const isCurrency = (code: string): boolean => currencies.has(code)

/** The number of decimals that an amount of this currency can have. */
export const decimalsOf = (currency: string): number => decimals.get(currency) ?? 2
