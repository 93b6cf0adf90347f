import type { ScaleResult, SizeResult } from './results.ts'

export type Bar = { what: string; seen: number; bar: string; passes: boolean }

/** HTTP is compared with the bare statement only where that takes this long; below, the request itself takes longer. */
const comparedFromMs = 10

/** The bars of the largest size, relative to the smallest where they are ratios. */
export function barsOf({ sizes }: Pick<ScaleResult, 'sizes'>): Bar[] {
  const [small, large] = [sizes[0], sizes.at(-1)]
  if (!small || !large) return []
  return [
    ...ratioBar('submissions per second, large to small', (size) => size.submit?.perSecond, small, large, 0.85),
    ...ratioBar('ms per publication, large to small', (size) => size.publish?.msPerPublication, small, large, 1.15),
    ...Object.entries(large.search ?? {}).flatMap(([name, { sql, http }]) => [
      atMost(`search: ${name}, SQL p95, ms`, sql.p95, 60),
      ...(sql.p95 > comparedFromMs ? [atMost(`search: ${name}, HTTP to SQL`, http.p95 / sql.p95, 1.5)] : []),
    ]),
    ...Object.entries(large.desk ?? {}).map(([page, { p95 }]) => atMost(`desk: ${page}, p95, ms`, p95, 100)),
  ]
}

/** A bar of at most 1 is a minimum, otherwise a maximum. */
function ratioBar(
  what: string,
  value: (size: SizeResult) => number | undefined,
  small: SizeResult,
  large: SizeResult,
  bar: number,
): Bar[] {
  const [few, many] = [value(small), value(large)]
  if (few === undefined || many === undefined || few === 0) return []
  const seen = many / few
  return [{ what, seen, bar: `${bar < 1 ? '≥' : '≤'} ${bar}`, passes: bar < 1 ? seen >= bar : seen <= bar }]
}

const atMost = (what: string, seen: number, bar: number): Bar => ({ what, seen, bar: `≤ ${bar}`, passes: seen <= bar })
