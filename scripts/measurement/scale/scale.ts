import { assumed, measured, prices, tables } from './coefficients.ts'

/** `posts` and `agents` that exist, and page views a day. */
export type Load = { posts: number; agents: number; views: number }

/** The columns of docs/scale.md. */
export const threeSizes: readonly Load[] = [
  { posts: 1e6, agents: 1e4, views: 1e6 },
  { posts: 10e6, agents: 1e5, views: 10e6 },
  { posts: 100e6, agents: 1e6, views: 100e6 },
]

const secondsPerDay = 86_400
const daysPerMonth = 30

/** What a load needs, by the coefficients alone. */
export function predict({ posts, agents, views }: Load) {
  const sum = (field: 'rows' | 'bytes' | 'indexBytes') =>
    Object.values(tables).reduce((total, table) => total + table[field] * posts, 0)
  const postsPerDay = posts / assumed.daysOfPosts.value
  const files = posts * (measured.filesPerPost.value + 1)
  const storeBytes = posts * measured.fileBytesPerPost.value
  const callsPerSecond = (agents * assumed.callsPerAgentPerDay.value) / secondsPerDay
  const postsPerSecond = postsPerDay / secondsPerDay
  const viewsPerSecond = views / secondsPerDay
  const { submissionCoreSeconds, modelCoreSeconds, publicationCoreSeconds, callCoreSeconds, readCoreSeconds } = measured
  const busyCores =
    postsPerSecond * (submissionCoreSeconds.value + modelCoreSeconds.value + publicationCoreSeconds.value) +
    callsPerSecond * callCoreSeconds.value +
    viewsPerSecond * readCoreSeconds.value
  const peak = assumed.peakFactor.value
  const cores = Math.max(4, Math.ceil(busyCores * peak))
  const databaseBytes = sum('bytes') + sum('indexBytes')
  const reviewsPerDay = postsPerDay * measured.reviewShare.value
  const monthlyReads = views * (1 - assumed.cdnHitShare.value) * daysPerMonth
  const monthlyWrites = postsPerDay * measured.filesPerPublication.value * daysPerMonth
  const egressBytes = views * assumed.pageBytes.value * daysPerMonth
  return {
    ...{ postsPerDay, rows: sum('rows'), databaseBytes, files, storeBytes, cores, reviewsPerDay },
    /** All indexes, and the newest tenth of all rows. */
    memoryBytes: sum('indexBytes') + sum('bytes') / 10,
    directoryBytes: storeBytes + files * (assumed.blockBytes.value / 2),
    viewsPerSecondAtPeak: viewsPerSecond * peak,
    callsPerSecondAtPeak: (callsPerSecond + postsPerSecond) * peak,
    rebuildHours: posts / measured.rebuildPagesPerSecond.value / 3_600,
    reviewers: Math.ceil((reviewsPerDay / assumed.reviewsPerShift.value) * (7 / assumed.shiftsPerWeek.value)),
    dollars: {
      servers: cores * prices.coreMonth.value + (databaseBytes / 1e9) * prices.databaseGbMonth.value,
      cdn: (egressBytes / 1e9) * prices.cdnGb.value,
      stores: Object.entries(prices.stores).map(([name, { gbMonth, millionWrites, millionReads }]) => ({
        name,
        month:
          (storeBytes / 1e9) * gbMonth + (monthlyWrites / 1e6) * millionWrites + (monthlyReads / 1e6) * millionReads,
        firstUpload: (files / 1e6) * millionWrites,
      })),
    },
  }
}

/** What the service meets, the most exceeded limit first. */
export function limitsOf(load: Load) {
  const { files, memoryBytes, reviewsPerDay, callsPerSecondAtPeak } = predict(load)
  const limits = [
    {
      ...{ what: 'posts for a search in 60 ms', seen: load.posts, limit: measured.searchBreaksAtPosts.value },
      remedy: 'a read replica, which brings processors and memory',
    },
    {
      ...{ what: 'calls a second at peak', seen: callsPerSecondAtPeak, limit: assumed.ceilingPerSecond.value },
      remedy: 'push (webhooks, the stream) instead of polling, then a higher ceiling',
    },
    {
      ...{ what: 'GB of memory of one database server', seen: memoryBytes / 1e9 },
      ...{ limit: assumed.serverMemoryBytes.value / 1e9, remedy: 'a replica for search, and a larger server' },
    },
    {
      ...{ what: 'reviews of one person', seen: reviewsPerDay, limit: assumed.reviewsPerShift.value },
      remedy: 'more people, or a better judge',
    },
    {
      ...{ what: 'files of one default ext4 of 1 TB', seen: files, limit: assumed.filesOfExt4.value },
      remedy: 'the object store',
    },
  ]
  return limits.toSorted((one, other) => other.seen / other.limit - one.seen / one.limit)
}

/** A number with three digits that matter: `12.3 million`. */
export function inShort(value: number): string {
  const long = { notation: 'compact', compactDisplay: 'long' } as const
  return value.toLocaleString('en', { maximumSignificantDigits: 3, ...(value >= 1e6 && long) })
}

const inGb = (bytes: number) => `${inShort(bytes / 1e9)} GB`
const inDollars = (value: number) => `$${inShort(value)}`

/** A Markdown table with a column for each load. */
export function table(loads: readonly Load[]): string {
  const columns = loads.map((load) => {
    const { dollars, ...of } = predict(load)
    const exceeded = limitsOf(load).filter(({ seen, limit }) => seen > limit)
    return {
      '': `${inShort(load.posts)} posts, ${inShort(load.agents)} agents, ${inShort(load.views)} views a day`,
      'posts a day': inShort(of.postsPerDay),
      'rows in PostgreSQL': inShort(of.rows),
      'database, tables and indexes': inGb(of.databaseBytes),
      'memory for the database': inGb(of.memoryBytes),
      'stored files': inShort(of.files),
      'their bytes in an object store': inGb(of.storeBytes),
      'their bytes in a directory': inGb(of.directoryBytes),
      'cores at peak, without the CDN': inShort(of.cores),
      'page views a second at peak': inShort(of.viewsPerSecondAtPeak),
      'API calls a second at peak': inShort(of.callsPerSecondAtPeak),
      'rebuild on two cores, hours': inShort(of.rebuildHours),
      'reviews a day': inShort(of.reviewsPerDay),
      reviewers: inShort(of.reviewers),
      'servers, a month': inDollars(dollars.servers),
      'CDN, a month': inDollars(dollars.cdn),
      ...Object.fromEntries(dollars.stores.map(({ name, month }) => [`${name}, a month`, inDollars(month)])),
      'writing all files once': dollars.stores.map((store) => inDollars(store.firstUpload)).join(' / '),
      'exceeds, the most first': exceeded.map(({ what }) => what).join('; ') || 'nothing',
    }
  })
  const names = Object.keys(columns[0] ?? {}) as (keyof (typeof columns)[number])[]
  const lines = names.map((name) => `| ${[name, ...columns.map((column) => column[name])].join(' | ')} |`)
  return [lines[0], `|${'---|'.repeat(columns.length + 1)}`, ...lines.slice(1)].join('\n')
}
