import { bootstrap } from './bootstrap.ts'

/** A share of n, with its 95 % interval. */
export type Share = { share: number; low: number; high: number; n: number }

/** The share of true ones. Null of none. */
export function shareOf(holds: readonly boolean[]): Share | null {
  const n = holds.length
  if (n === 0) return null
  const share = meanOf(holds)
  // Drawn from none that holds, every set has none: the exact bound says what a set of this size can rule out.
  const unseen = 1 - 0.025 ** (1 / n)
  if (share === 0) return { share, low: 0, high: unseen, n }
  if (share === 1) return { share, low: 1 - unseen, high: 1, n }
  const interval = bootstrap(holds, meanOf)
  return { share, low: interval?.low ?? share, high: interval?.high ?? share, n }
}

const meanOf = (holds: readonly boolean[]) => holds.filter(Boolean).length / holds.length
