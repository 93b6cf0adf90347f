import type { DB } from '../../../generated/database-types.ts'

export type Period = {
  table: keyof DB | 'pgboss.job'
  /** What expires, as the documents call it. */
  what: string
  /** `row`: the row is deleted. `part`: some columns are erased, and the row stays. */
  expires: 'row' | 'part'
  keptSeconds: number
  /** The moment that the period starts at; the documents put it after "after" or "until". */
  from: string
  why: string
  /** Which job deletes it, or what else does. Most periods belong to `purge-expired`; see src/retention.ts. */
  deletedBy: string
  /** Concerns staff or internals, so the public documents omit it. */
  isInternal?: true
}

export const [minute, hour, day] = [60, 3_600, 86_400]
/** Long enough to notice that something went wrong and to ask about it. */
export const month = 30 * day

export const row = { expires: 'row', deletedBy: 'purge-expired' } as const
export const part = { expires: 'part', deletedBy: 'purge-expired' } as const
export const job = { ...row, table: 'pgboss.job', deletedBy: 'pg-boss', isInternal: true } as const
