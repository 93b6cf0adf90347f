/**
 * Randomized tests and tests that repeat for every site are short in CI, because every change waits for them. They run
 * in full with `npm test -- --whole` before a release.
 */
export const isWhole = process.env['TEST_LENGTH'] === 'whole'

/** The number of repetitions. */
export const times = ({ whole, short }: { whole: number; short: number }): number => (isWhole ? whole : short)
