/** In ICU's list and no longer in ISO 4217. */
const withdrawn = new Set(['HRK', 'SLL', 'ZWL'])

const currencies = new Set(Intl.supportedValuesOf('currency').filter((code) => !withdrawn.has(code)))

/**
 * Where ISO 4217 has other than two. `Intl` has the digits that shops show, which are fewer: none for COP, HUF or PKR,
 * whose prices may well have two.
 */
const decimals = new Map<string, number>([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
])

export const isCurrency = (code: string): boolean => currencies.has(code)

/** How many decimals an amount of this currency may have. */
export const decimalsOf = (currency: string): number => decimals.get(currency) ?? 2
