import { assumptions, coefficients, tableCoefficients } from './coefficients.ts'
import { prices } from './prices.ts'

/** `posts` and `agents` that exist, and page views a day. */
export type Load = { posts: number; agents: number; views: number }

export type Limit = { what: string; load: number; limit: number; unit: string; remedy: string }

export type Prediction = ReturnType<typeof predict>

/** What a load needs, by the coefficients alone. */
export function predict({ posts, agents, views }: Load) {
  const of = (name: keyof typeof coefficients) => coefficients[name].value
  const assumed = (name: keyof typeof assumptions) => assumptions[name].value
  const tables = Object.entries(tableCoefficients).map(([table, [rows, bytes, indexBytes]]) => ({
    ...{ table, rows: rows * posts, bytes: bytes * posts, indexBytes: indexBytes * posts },
  }))
  const sum = (field: 'rows' | 'bytes' | 'indexBytes') => tables.reduce((total, table) => total + table[field], 0)
  const postsPerDay = posts / assumed('daysOfPosts')
  const files = posts * (of('filesPerPost') + 1)
  const storeBytes = posts * of('fileBytesPerPost')
  const callsPerSecond = (agents * assumed('callsPerAgentPerDay')) / 86_400
  const postsPerSecond = postsPerDay / 86_400
  const perPost = of('submissionCoreSeconds') + of('modelCoreSeconds') + of('publicationCoreSeconds')
  const originReads = views * (1 - assumed('cdnHitShare'))
  const busy =
    postsPerSecond * perPost + callsPerSecond * of('callCoreSeconds') + (views / 86_400) * of('readCoreSeconds')
  const cores = Math.max(4, Math.ceil(busy * assumed('peakFactor')))
  const searchBytes = Number(tables.find(({ table }) => table === 'search_entries')?.indexBytes)
  /** All indexes, and the newest tenth of all rows. */
  const memoryBytes = sum('indexBytes') + sum('bytes') / 10
  const reviewsPerDay = postsPerDay * of('reviewShare')
  const shifts = (reviewsPerDay * assumed('secondsPerReview')) / assumed('reviewSecondsPerShift')
  const egressGb = (views * 30 * assumed('pageBytes')) / 1e9
  const databaseBytes = sum('bytes') + sum('indexBytes')
  const writesPerMonth = postsPerDay * 30 * of('filesPerPublication')
  const dollars = {
    objectStores: prices.objectStores.map(({ name, perGbMonth, perMillionWrites, perMillionReads }) => ({
      name,
      perMonth:
        (storeBytes / 1e9) * perGbMonth +
        (writesPerMonth / 1e6) * perMillionWrites +
        ((originReads * 30) / 1e6) * perMillionReads,
      firstUpload: (files / 1e6) * perMillionWrites,
    })),
    cdn: egressGb * prices.cdnPerGb.value,
    servers: cores * prices.corePerMonth.value,
    databaseDisk: (databaseBytes / 1e9) * prices.databaseGbPerMonth.value,
  }
  return {
    ...{ tables, rows: sum('rows'), databaseBytes, searchBytes, memoryBytes, postsPerDay, files, storeBytes, cores },
    directoryBytes: storeBytes + files * (assumed('blockBytes') / 2),
    requestsPerSecondAtPeak: (callsPerSecond + postsPerSecond) * assumed('peakFactor'),
    reviewsPerDay,
    reviewers: Math.ceil((shifts * 7) / assumed('daysPerWeekPerReviewer')),
    rebuildHours: posts / of('rebuildPagesPerSecond') / 3_600,
    viewsPerSecondAtPeak: (views / 86_400) * assumed('peakFactor'),
    egressGbPerMonth: egressGb,
    writesPerMonth,
    dollars,
    limits: limitsOf({ posts, memoryBytes, callsPerSecond, reviewers: shifts, files }),
  }
}

type Loads = { posts: number; memoryBytes: number; callsPerSecond: number; reviewers: number; files: number }

/** What the service meets first, the most exceeded limit first. */
function limitsOf({ posts, memoryBytes, callsPerSecond, reviewers, files }: Loads): Limit[] {
  const limits: Limit[] = [
    {
      ...{
        what: 'search in one table, 60 ms',
        load: posts,
        unit: 'posts',
        limit: coefficients.searchBreaksAtPosts.value,
      },
      remedy: 'a read replica, which brings processors and memory',
    },
    {
      ...{
        what: 'the ceiling, at peak',
        load: callsPerSecond * assumptions.peakFactor.value,
        unit: 'requests per second',
      },
      ...{
        limit: assumptions.ceilingPerSecond.value,
        remedy: 'push (webhooks, the stream) instead of polling, then a higher ceiling',
      },
    },
    {
      ...{
        what: 'memory of one database server',
        load: memoryBytes / 1e9,
        limit: assumptions.serverMemoryBytes.value / 1e9,
      },
      ...{ unit: 'GB', remedy: 'a replica for search, and a larger server' },
    },
    {
      what: 'one person who reviews',
      load: reviewers,
      limit: 1,
      unit: 'shifts a day',
      remedy: 'more people, or a better judge',
    },
    {
      ...{ what: 'files of one default ext4 of 1 TB', load: files, limit: 61e6, unit: 'files' },
      remedy: 'the object store',
    },
  ]
  return limits.toSorted((one, other) => other.load / other.limit - one.load / one.limit)
}
