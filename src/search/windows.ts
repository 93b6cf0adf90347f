/** A partition of the search entries: when it begins, null if it has no beginning, and how many entries it has. */
export type PartitionSize = { startsAt: Date | null; entries: number }

/** The newest partitions, from `startsAt` on; null if they are all. */
export type SearchWindow = { startsAt: Date | null; entries: number }

/** What a search excludes by time. */
type Bounds = { before?: Date | undefined; since?: Date | undefined }

/**
 * The fewest of the newest partitions that together have this many entries before the given time. Those after that time are
 * passed over: PostgreSQL does not read them.
 */
export function windowOf(
  partitions: readonly PartitionSize[],
  entries: number,
  { before, since }: Bounds = {},
): SearchWindow {
  let counted = 0
  for (const { startsAt, entries: held } of partitions) {
    if (startsAt === null) break
    if (before && startsAt >= before) continue
    counted += held
    if (since && startsAt <= since) return { startsAt: null, entries: counted }
    if (counted >= entries) return { startsAt, entries: counted }
  }
  return { startsAt: null, entries: entriesIn(partitions) }
}

/** All entries. */
export const entriesIn = (partitions: readonly PartitionSize[]): number =>
  partitions.reduce((sum, { entries }) => sum + entries, 0)
