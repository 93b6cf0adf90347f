import type { Schema } from '../contract.ts'

/** `in` is what callers send, `out` is what they receive. */
export type Direction = 'in' | 'out'
export type Report = (place: string, what: string, breaking: boolean, notice: string) => void

export type Comparison = {
  before: Record<string, Schema>
  after: Record<string, Schema>
  /** Values that a caller must expect to grow in number. */
  tolerated: ReadonlySet<unknown>
  /** The named schemas that were compared, each once in each direction. */
  visited: Set<string>
  report: Report
}

export type Compare = (
  comparison: Comparison,
  before: Schema,
  after: Schema,
  direction: Direction,
  place: string,
) => void
