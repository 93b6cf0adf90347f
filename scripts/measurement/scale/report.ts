import { type Load, type Prediction, predict } from './model.ts'
import { inBytes, inDollars, inShort } from './words.ts'

type Row = [what: string, value: (prediction: Prediction) => string]

/** One row for each quantity, for people. */
export const rows: readonly Row[] = [
  ['posts a day', ({ postsPerDay }) => inShort(postsPerDay)],
  ['rows in PostgreSQL', (one) => inShort(one.rows)],
  ['database, tables and indexes', ({ databaseBytes }) => inBytes(databaseBytes)],
  ['memory for the database', ({ memoryBytes }) => inBytes(memoryBytes)],
  ['stored files', ({ files }) => inShort(files)],
  ['their bytes in an object store', ({ storeBytes }) => inBytes(storeBytes)],
  ['their bytes in a directory', ({ directoryBytes }) => inBytes(directoryBytes)],
  ['cores at peak, without the CDN', ({ cores }) => inShort(cores)],
  ['page views a second at peak', ({ viewsPerSecondAtPeak }) => inShort(viewsPerSecondAtPeak)],
  ['API calls a second at peak', ({ requestsPerSecondAtPeak }) => inShort(requestsPerSecondAtPeak)],
  ['rebuild on two cores, hours', ({ rebuildHours }) => inShort(rebuildHours)],
  ['reviews a day', ({ reviewsPerDay }) => inShort(reviewsPerDay)],
  ['reviewers', ({ reviewers }) => inShort(reviewers)],
  ['servers, dollars a month', ({ dollars }) => inDollars(dollars.servers + dollars.databaseDisk)],
  ['CDN, dollars a month', ({ dollars }) => inDollars(dollars.cdn)],
  ['Amazon S3, dollars a month', ({ dollars }) => inDollars(dollars.objectStores[0]?.perMonth ?? 0)],
  ['Cloudflare R2, dollars a month', ({ dollars }) => inDollars(dollars.objectStores[1]?.perMonth ?? 0)],
  [
    'writing all files once, S3 / R2',
    ({ dollars }) => dollars.objectStores.map((one) => inDollars(one.firstUpload)).join(' / '),
  ],
  ['breaks first', ({ limits }) => limitWords(limits[0])],
  ['then', ({ limits }) => limitWords(limits[1])],
]

function limitWords(limit: Prediction['limits'][number] | undefined): string {
  if (!limit || limit.load < limit.limit) return 'nothing'
  return `${limit.what}: ${inShort(limit.load)} of ${inShort(limit.limit)} ${limit.unit}`
}

export const loadWords = ({ posts, agents, views }: Load) =>
  `${inShort(posts)} posts, ${inShort(agents)} agents, ${inShort(views)} views a day`

/** A Markdown table with a column for each load. */
export function table(loads: readonly Load[]): string {
  const predictions = loads.map(predict)
  const head = ['', ...loads.map(loadWords)]
  const lines = rows.map(([what, value]) => `| ${[what, ...predictions.map(value)].join(' | ')} |`)
  return [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...lines].join('\n')
}
