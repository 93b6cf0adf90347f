import { join } from 'node:path'
import { linesOf, readCsv, readJson, readJsonLines, readText } from '../../../eval/data/read-table.ts'
import type { Labels } from '../rows.ts'

/** A text with its labels: those in the collection, and the categories that it certainly does not contain. */
export type Found = { text: string; labels: Labels; weight?: number }

/**
 * A third-party collection of labelled texts. It is not committed, and is read from the data directory. The model card
 * names its authors.
 */
export type Source = {
  readonly name: string
  readonly licence: string
  /** The maximum number of rows. A larger set would outweigh the smaller ones and take hours to embed. */
  readonly most: number
  read(directory: string): Found[]
}

type RowsOf<T> = (row: T) => Found | readonly Found[]

export const csv = (path: string, of: RowsOf<Record<string, string>>) => (directory: string) =>
  readCsv(join(directory, path)).flatMap(of)

export const json =
  <T>(path: string, of: RowsOf<T>) =>
  (directory: string) =>
    readJson<T[]>(join(directory, path)).flatMap(of)

export const jsonLines =
  <T>(path: string, of: RowsOf<T>) =>
  (directory: string) =>
    readJsonLines<T>(join(directory, path)).flatMap(of)

export const readLines = (directory: string, path: string) => linesOf(readText(join(directory, path)))
