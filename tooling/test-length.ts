/**
 * Randomized tests and tests that repeat for every site are short with every change, because every change waits for
 * them. They run at their whole length every night, with `npm run nightly` or `npm test -- --whole`.
 */
export const isWhole = process.env['TEST_LENGTH'] === 'whole'

/** Of a test that runs every night only: what it finds is found by another test with every change, or changes seldom. */
export const nightly = { skip: isWhole ? false : 'It runs every night.' }

/** The number of repetitions. */
export const times = ({ whole, short }: { whole: number; short: number }): number => (isWhole ? whole : short)

/**
 * The time after which a randomized test stops, however many repetitions are left, so that a machine that is several
 * times slower still finishes in time. The full run has no limit.
 */
const longestMs = 45_000

/** Runs a long test in parts, until all of it is done or the time is over. Returns how much was done. */
export async function runInParts(total: number, partSize: number, run: (count: number) => Promise<void>) {
  const end = isWhole ? Number.POSITIVE_INFINITY : performance.now() + longestMs
  let done = 0
  while (done < total && performance.now() < end) {
    const count = Math.min(partSize, total - done)
    await run(count)
    done += count
  }
  return done
}
