export type Interval = { low: number; high: number }

/** 95 % of a standard normal distribution lie between minus and plus this value. */
const z = 1.959964

/**
 * Wilson score interval: the 95 % confidence interval of a share, given `part` of `whole`. With no data it is 0 to 1.
 */
export function wilsonInterval(part: number, whole: number): Interval {
  if (whole === 0) return { low: 0, high: 1 }
  const [share, square] = [part / whole, z * z]
  const middle = share + square / (2 * whole)
  const reach = z * Math.sqrt((share * (1 - share)) / whole + square / (4 * whole * whole))
  const scale = 1 + square / whole
  return { low: Math.max(0, (middle - reach) / scale), high: Math.min(1, (middle + reach) / scale) }
}
