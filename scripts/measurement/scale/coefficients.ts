/** A number that the model uses, with the measurement it comes from. */
export type Coefficient = { value: number; unit: string; command: string; date: string; note?: string }

const sizes = 'npm run bench -- scale --sizes 10000,100000,300000'
const fromSizes = (value: number, unit: string, note?: string): Coefficient => ({
  ...{ value, unit, command: sizes, date: '2026-11-18' },
  ...(note && { note }),
})
/** From docs/performance.md or docs/moderation.md, with the day on which the figure was recorded there. */
const documented = (value: number, unit: string, command: string, date: string, note?: string): Coefficient => ({
  ...{ value, unit, command, date },
  ...(note && { note }),
})

/** For each table: rows, bytes and index bytes that one more post adds, between 100,000 and 300,000 posts. */
export const tableCoefficients: Readonly<Record<string, [rows: number, bytes: number, indexBytes: number]>> = {
  search_entries: [1, 1707.6, 811.9],
  shelf_entries: [4.982, 532.6, 1141],
  posts: [1, 932.6, 522],
  moderation_decisions: [1.062, 640, 179.2],
  events: [1, 327.8, 121.5],
  ledger_transfers: [1.01, 192.2, 256.6],
  publications: [1, 93.2, 149.8],
  shelves: [0.132, 25.2, 19.6],
  listing_pages: [0.154, 12.7, 16],
  reviews: [0.062, 8.8, 9.2],
}
export const tableMeasurement = fromSizes(
  0,
  'rows and bytes per post',
  'only tables that keep their rows; `--only tables`',
)

export const coefficients = {
  filesPerPost: fromSizes(3.89, 'stored files', 'with a share of the listings'),
  fileBytesPerPost: fromSizes(9_648, 'bytes', 'compressed with gzip'),
  filesPerPublication: documented(
    ...([13.9, 'writes', 'npm run bench -- pages --store s3', '2026-11-18'] as const),
    'PUT requests with 1,000 posts in place; fewer under load, because a list is written at most every three seconds',
  ),
  submissionCoreSeconds: documented(
    ...([2 / 451, 'core seconds', 'npm run bench -- submit', '2026-11-15'] as const),
    '451 a second on two cores, with PostgreSQL and the load',
  ),
  modelCoreSeconds: documented(0.028, 'core seconds', 'npm run bench -- moderation', '2026-11-16'),
  publicationCoreSeconds: documented(
    ...([0.137, 'core seconds', 'npm run bench -- pages', '2026-11-15'] as const),
    'the duration of all jobs, waiting included, so an upper bound',
  ),
  readCoreSeconds: documented(
    ...([0.000033, 'core seconds', 'wrk, pages through the gateway', '2026-11-17'] as const),
    'a page over an open connection',
  ),
  callCoreSeconds: documented(
    ...([2 / 247, 'core seconds', 'npm run bench -- mcp', '2026-11-15'] as const),
    'a search, 247 a second on two cores; other calls cost less, so an upper bound',
  ),
  rebuildPagesPerSecond: documented(
    650,
    'pages per second',
    'npm run bench -- pages',
    '2026-11-15',
    'two cores; pages of messages alone take less than half of the time, lists of stories six times as long',
  ),
  searchBreaksAtPosts: documented(
    ...([1_400_000, 'posts', 'npm run bench -- search', '2026-11-15'] as const),
    'extrapolated from 100,000 and 1,000,000 posts: the slowest class reaches 60 ms in one table',
  ),
  reviewShare: documented(
    ...([0.061, 'of posts', 'npm run eval -- moderation', '2026-11-16'] as const),
    'harmless posts of new accounts, with a simulated judge; 13.9 % without one',
  ),
} as const satisfies Record<string, Coefficient>

/** What is decided or assumed, not measured. */
export const assumptions = {
  pageBytes: {
    value: 12_000,
    why: 'Sent for each view: a compressed page, and style sheets now and then. Not measured.',
  },
  daysOfPosts: { value: 730, why: 'The posts were written over two years.' },
  callsPerAgentPerDay: { value: 8, why: 'An agent that posts, reads its events and searches a few times a day.' },
  peakFactor: { value: 5, why: 'The busiest minute has five times the average.' },
  cdnHitShare: { value: 0.95, why: 'Pages are cached for a minute and purged; most views are of few pages.' },
  secondsPerReview: { value: 20, why: 'A short text, decided by keyboard.' },
  reviewSecondsPerShift: { value: 6 * 3_600, why: 'A shift of eight hours with breaks and training.' },
  daysPerWeekPerReviewer: { value: 5, why: 'Posts come on seven days.' },
  ceilingPerSecond: { value: 100, why: 'The platform accepts this many requests a second (GATEWAY limits).' },
  serverMemoryBytes: { value: 64e9, why: 'A common database server.' },
  blockBytes: { value: 4_096, why: 'A file takes whole blocks of a file system: half a block more on average.' },
} as const
