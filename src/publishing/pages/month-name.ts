import { dateParts } from '../../kinds/dates.ts'

/** `2026-11` as `November 2026`. */
export function monthName(month: string): string {
  const parts = dateParts(`${month}-01`)
  return `${parts.month} ${parts.year}`
}
