export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** The value that this share of all is not above; the upper one of two in the middle. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
