import type { Row } from '../rows.ts'

/**
 * A third-party collection of labelled texts. It is not committed, and is read from the data directory if it is there.
 */
export type Source = {
  readonly name: string
  readonly licence: string
  readonly attribution: string
  /** The maximum number of rows. A larger set would outweigh the smaller ones and take hours to embed. */
  readonly most: number
  /** The labels of each row: those in the collection, and the categories that it certainly does not contain. */
  read(directory: string): Omit<Row, 'source'>[]
}
