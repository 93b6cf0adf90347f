export type Interval = { low: number; high: number }

/** Of a standard normal: 95 % lie between minus this and this. */
const z = 1.959964

/** Wilson's interval: where a share lies, with 95 % confidence, of which `part` of `whole` were seen. Of none all is possible. */
export function wilsonInterval(part: number, whole: number): Interval {
  if (whole === 0) return { low: 0, high: 1 }
  const [share, square] = [part / whole, z * z]
  const middle = share + square / (2 * whole)
  const reach = z * Math.sqrt((share * (1 - share)) / whole + square / (4 * whole * whole))
  const scale = 1 + square / whole
  return { low: Math.max(0, (middle - reach) / scale), high: Math.min(1, (middle + reach) / scale) }
}
