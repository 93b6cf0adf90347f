import type { Row } from '../rows.ts'

/** A collection of labelled texts that others made: never committed, read from the data directory when it is there. */
export type Source = {
  readonly name: string
  readonly licence: string
  readonly attribution: string
  /** How much of it is used, at most; a larger set would drown the smaller ones and cost hours of embedding. */
  readonly most: number
  /** Labels of each row: what the collection says, and what it certainly does not contain. */
  read(directory: string): Omit<Row, 'source'>[]
}
