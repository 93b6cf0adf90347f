import { sql } from 'kysely'
import type { Transaction } from '../platform/database.ts'
import type { ReportOutcome } from '../platform/database-types.ts'

type Closing = { postId: string; number: number; outcome: ReportOutcome; readUntil: Date; at: Date }

/**
 * Ends a case for what was in it when it was read; what came in later becomes the next case, so that no report is closed
 * which nobody has seen. False when it was not open.
 */
export async function closeReadReports(tx: Transaction, closing: Closing): Promise<boolean> {
  const { postId, number, outcome, readUntil, at } = closing
  const { rows } = await sql<{ closed: boolean }>`
    select close_read_reports(${postId}, ${number}::smallint, ${outcome}, ${readUntil}, ${at}) as closed`.execute(tx)
  return rows[0]?.closed === true
}
