export type Interval = { low: number; high: number }

/** 95 % of a standard normal distribution is between −z and z. */
const z = 1.959964

/**
 * Wilson score interval: the 95 % confidence interval for the share `part` of `whole`. Without data, it is 0 to 1.
 */
export function wilsonInterval(part: number, whole: number): Interval {
  if (whole === 0) return { low: 0, high: 1 }
  const [share, square] = [part / whole, z * z]
  const middle = share + square / (2 * whole)
  const reach = z * Math.sqrt((share * (1 - share)) / whole + square / (4 * whole * whole))
  const scale = 1 + square / whole
  return { low: Math.max(0, (middle - reach) / scale), high: Math.min(1, (middle + reach) / scale) }
}
