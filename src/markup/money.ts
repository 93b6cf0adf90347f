/** Micro-dollars as dollars, with no decimals or at least two: `$5`, `$0.02`, `$0.001`. */
export function dollars(micros: number): string {
  const [whole, decimals = ''] = (micros / 1_000_000).toFixed(6).replace(/0+$/, '').split('.')
  return decimals === '' ? `$${whole}` : `$${whole}.${decimals.padEnd(2, '0')}`
}

/** The amount in both units: `$0.02 (20,000 micro-dollars)`. */
export const money = (micros: number): string => `${dollars(micros)} (${micros.toLocaleString('en')} micro-dollars)`

/** Micro-dollars as dollars with at least two decimals: `$4.00`, `$0.001`. */
export function amount(micros: number): string {
  const [whole = '0', decimals = ''] = (Math.abs(micros) / 1_000_000).toFixed(6).replace(/0+$/, '').split('.')
  const figures = `$${Number(whole).toLocaleString('en-US')}.${decimals.padEnd(2, '0')}`
  return micros < 0 ? `−${figures}` : figures
}

/** The same as `amount`, with a plus sign if the amount is positive. */
export const signedAmount = (micros: number): string => (micros > 0 ? `+${amount(micros)}` : amount(micros))
