/**
 * Tests of chance and tests of the same on every site are short in CI, where every change waits for them, and whole with
 * `npm test -- --whole`, before a release.
 */
export const isWhole = process.env['TEST_LENGTH'] === 'whole'

/** How often something is repeated. */
export const times = ({ whole, short }: { whole: number; short: number }): number => (isWhole ? whole : short)
