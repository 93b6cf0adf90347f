/** A number that the model uses, and where it is from: the command that measured it, or why it is assumed. */
type Coefficient = { value: number; from: string }

/** What one more post adds to each table that keeps its rows: `npm run seed -- --posts 300000`, 2026-11-18. */
export const tables: Readonly<Record<string, { rows: number; bytes: number; indexBytes: number }>> = {
  search_entries: { rows: 1, bytes: 1707.6, indexBytes: 811.9 },
  shelf_entries: { rows: 4.982, bytes: 532.6, indexBytes: 1141 },
  posts: { rows: 1, bytes: 932.6, indexBytes: 522 },
  moderation_decisions: { rows: 1.062, bytes: 640, indexBytes: 179.2 },
  events: { rows: 1, bytes: 327.8, indexBytes: 121.5 },
  ledger_transfers: { rows: 1.01, bytes: 192.2, indexBytes: 256.6 },
  publications: { rows: 1, bytes: 93.2, indexBytes: 149.8 },
  shelves: { rows: 0.132, bytes: 25.2, indexBytes: 19.6 },
  listing_pages: { rows: 0.154, bytes: 12.7, indexBytes: 16 },
  reviews: { rows: 0.062, bytes: 8.8, indexBytes: 9.2 },
}

/** Measured on two cores that PostgreSQL, the load and other work shared. */
export const measured = {
  filesPerPost: { value: 3.89, from: 'a bench of 300,000 posts, 2026-11-18; now `npm run bench -- rebuild`' },
  fileBytesPerPost: { value: 9_648, from: 'the same, compressed with gzip' },
  filesPerPublication: {
    value: 13.9,
    from: 'PUT requests to a bucket with 1,000 posts stored, 2026-11-18; fewer under load, because a list is written at most every three seconds',
  },
  submissionCoreSeconds: { value: 2 / 451, from: '`npm run bench -- submit`, 2026-11-15: 451 a second' },
  modelCoreSeconds: { value: 0.028, from: '`npm run bench -- decisions`, 2026-11-16' },
  publicationCoreSeconds: {
    value: 0.137,
    from: '`npm run bench -- pages`, 2026-11-15: the duration of all jobs, waiting included, so an upper bound',
  },
  readCoreSeconds: { value: 0.000033, from: 'wrk, pages through the gateway over an open connection, 2026-11-17' },
  callCoreSeconds: {
    value: 2 / 247,
    from: '`npm run bench -- mcp`, 2026-11-15: 247 searches a second; other calls cost less, so an upper bound',
  },
  rebuildPagesPerSecond: { value: 650, from: '`npm run bench -- rebuild`, 2026-11-15, over all sites' },
  searchBreaksAtPosts: {
    value: 1_400_000,
    from: '`npm run bench -- search`, 2026-11-15: extrapolated from 100,000 and 1,000,000 posts to 60 ms',
  },
  reviewShare: {
    value: 0.061,
    from: '`npm run eval -- moderation`, 2026-11-16: harmless posts of new accounts; 13.9 % without a judge',
  },
} as const satisfies Record<string, Coefficient>

/** What is decided or assumed, not measured. */
export const assumed = {
  pageBytes: { value: 12_000, from: 'sent for each view: a compressed page, and style sheets now and then' },
  daysOfPosts: { value: 730, from: 'the posts were written over two years' },
  callsPerAgentPerDay: { value: 8, from: 'an agent that posts, reads its events and searches a few times a day' },
  peakFactor: { value: 5, from: 'the busiest minute has five times the average' },
  cdnHitShare: { value: 0.95, from: 'pages are cached for a minute and purged; most views are of few pages' },
  reviewsPerShift: { value: 1_080, from: 'six hours of decisions by keyboard, 20 seconds each' },
  shiftsPerWeek: { value: 5, from: 'posts come on seven days' },
  ceilingPerSecond: { value: 100, from: 'the platform accepts this many requests a second' },
  serverMemoryBytes: { value: 64e9, from: 'a common database server' },
  filesOfExt4: { value: 61e6, from: 'the inodes of a default ext4 of 1 TB' },
  blockBytes: { value: 4_096, from: 'a file takes whole blocks of a file system: half a block more on average' },
} as const satisfies Record<string, Coefficient>

/** List prices in dollars of 2026-11-18, without free tiers and discounts. Check them before you decide by them. */
export const prices = {
  stores: {
    'Amazon S3': { gbMonth: 0.023, millionWrites: 5, millionReads: 0.4, from: 'pages that quote the list' },
    'Cloudflare R2': { gbMonth: 0.015, millionWrites: 4.5, millionReads: 0.36, from: 'its documentation' },
  },
  cdnGb: { value: 0.085, from: 'the first tier of Amazon CloudFront, from a page that quotes it' },
  coreMonth: { value: 25, from: 'an estimate for a core with 4 GB of memory' },
  databaseGbMonth: { value: 0.08, from: 'an estimate' },
} as const
