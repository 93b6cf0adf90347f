/** Micro-dollars as a bill shows them: two decimals, and more only where the money has them: `$4.00`, `$0.001`. */
export function amount(micros: number): string {
  const [whole = '0', decimals = ''] = (Math.abs(micros) / 1_000_000).toFixed(6).replace(/0+$/, '').split('.')
  const figures = `$${Number(whole).toLocaleString('en-US')}.${decimals.padEnd(2, '0')}`
  return micros < 0 ? `−${figures}` : figures
}

/** The same with the sign that says which way it went. */
export const signedAmount = (micros: number): string => (micros > 0 ? `+${amount(micros)}` : amount(micros))
