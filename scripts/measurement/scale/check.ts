import type { ScaleResult, SizeResult } from '../bench/scale/results.ts'

export type Compared = { what: string; predicted: number; measured: number; error: number }

/** The largest accepted error of a prediction. */
export const errorBar = 0.2

/**
 * Fits each quantity to the two smaller of the last three sizes and predicts the largest, which was not used. Bytes, rows and
 * files grow by the same amount with each post; times and rates grow by a power of the posts.
 */
export function compareWithModel({ sizes }: Pick<ScaleResult, 'sizes'>): Compared[] {
  const [small, middle, large] = sizes.toSorted((one, other) => one.posts - other.posts).slice(-3)
  if (!small || !middle || !large) throw new Error('The file must have measurements of at least three sizes.')
  const at = (read: (size: SizeResult) => number | undefined) => [small, middle, large].map(read)
  return quantitiesOf(large).flatMap(({ what, read, grows }) => {
    const [first, second, measured] = at(read)
    if (!first || !second || !measured) return []
    const fitted = { small: [small.posts, first], middle: [middle.posts, second] } as const
    const predicted = grows === 'linearly' ? extendLine(fitted, large.posts) : extendPower(fitted, large.posts)
    return [{ what, predicted, measured, error: predicted / measured - 1 }]
  })
}

type Fitted = { small: readonly [number, number]; middle: readonly [number, number] }

function extendLine({ small: [x1, y1], middle: [x2, y2] }: Fitted, x: number): number {
  return y2 + ((y2 - y1) / (x2 - x1)) * (x - x2)
}

function extendPower({ small: [x1, y1], middle: [x2, y2] }: Fitted, x: number): number {
  const power = Math.log(y2 / y1) / Math.log(x2 / x1)
  return y2 * (x / x2) ** power
}

type Quantity = { what: string; grows: 'linearly' | 'by a power'; read: (size: SizeResult) => number | undefined }

/** Tables below this share of the database do not matter to the sum. */
const smallestShare = 0.01

function quantitiesOf(large: SizeResult): Quantity[] {
  const whole = total(large)
  const tables = (large.tables ?? []).filter(
    ({ bytesPerPost, indexBytesPerPost }) => (bytesPerPost + indexBytesPerPost) * large.posts > whole * smallestShare,
  )
  const find = (size: SizeResult, name: string) => size.tables?.find(({ table }) => table === name)
  return [
    { what: 'database, bytes', grows: 'linearly', read: total },
    ...tables.flatMap(({ table }): Quantity[] => [
      { what: `${table}, bytes`, grows: 'linearly', read: (size) => scaled(size, find(size, table)?.bytesPerPost) },
      {
        what: `${table}, index bytes`,
        grows: 'linearly',
        read: (size) => scaled(size, find(size, table)?.indexBytesPerPost),
      },
    ]),
    { what: 'stored files', grows: 'linearly', read: (size) => scaled(size, size.files?.filesPerPost) },
    { what: 'stored bytes', grows: 'linearly', read: (size) => scaled(size, size.files?.bytesPerPost) },
    { what: 'submissions per second', grows: 'by a power', read: ({ submit }) => submit?.perSecond },
    { what: 'ms per publication', grows: 'by a power', read: ({ publish }) => publish?.msPerPublication },
    { what: 'files per publication', grows: 'by a power', read: ({ publish }) => publish?.filesPerPublication },
    { what: 'deliveries per second', grows: 'by a power', read: ({ delivery }) => delivery?.perSecond },
    { what: 'rebuilt pages per second', grows: 'by a power', read: ({ rebuild }) => rebuild?.pagesPerSecond },
    ...Object.keys(large.search ?? {}).map(
      (name): Quantity => ({
        what: `search: ${name}, SQL p50`,
        grows: 'by a power',
        read: ({ search }) => search?.[name]?.sql.p50,
      }),
    ),
  ]
}

const scaled = ({ posts }: SizeResult, perPost: number | undefined) => perPost && perPost * posts

const total = (size: SizeResult): number =>
  (size.tables ?? []).reduce((sum, table) => sum + (table.bytesPerPost + table.indexBytesPerPost) * size.posts, 0)
