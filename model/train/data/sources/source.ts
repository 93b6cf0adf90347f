import type { Row } from '../rows.ts'

/** A third-party collection of labelled texts: never committed, read from the data directory if present. */
export type Source = {
  readonly name: string
  readonly licence: string
  readonly attribution: string
  /** The maximum number of rows; a larger set would outweigh the smaller ones and take hours to embed. */
  readonly most: number
  /** Labels of each row: those of the collection, and the categories it certainly does not contain. */
  read(directory: string): Omit<Row, 'source'>[]
}
