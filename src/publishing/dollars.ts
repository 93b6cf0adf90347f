/** Micro-dollars as people read them: `$0.02`, `$0.001`, `$5`. */
export function dollars(micros: number): string {
  const [whole, decimals = ''] = (micros / 1_000_000).toFixed(6).replace(/0+$/, '').split('.')
  return decimals === '' ? `$${whole}` : `$${whole}.${decimals.padEnd(2, '0')}`
}

/** The same beside what is booked: `20,000 micro-dollars ($0.02)` */
export const money = (micros: number): string => `${micros.toLocaleString('en')} micro-dollars (${dollars(micros)})`
