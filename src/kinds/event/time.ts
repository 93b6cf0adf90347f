import { z } from 'zod'
import type { MemberFault } from '../define-kind.ts'

/** The maximum length of an event: one year, which can be a leap year. */
const maxDays = 366

/** A name from the IANA time zone database, in its exact spelling. */
export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be an IANA time zone in its exact spelling, such as Europe/Lisbon, or UTC')
  .meta({ description: 'The IANA name of the event’s time zone.', examples: ['Europe/Lisbon'] })

/** An existing date and time with seconds and an offset. Stored as the caller wrote it. */
export const dateTime = z
  .string()
  .refine(
    (text) => text.length <= 35 && dateTimePattern.test(text) && !text.endsWith('-00:00'),
    'must be an ISO 8601 date and time with seconds and an offset, such as 2030-06-15T18:00:00+01:00',
  )
  .meta({ format: 'date-time', maxLength: 35 })

const dateTimePattern = z.regexes.datetime({ offset: true })

type Times = { timezone?: string; starts_at?: string; ends_at?: string }

/** Errors in the combination of times and time zone. They do not depend on the current time. */
export function findTimeFaults({ timezone, starts_at, ends_at }: Times): MemberFault[] {
  return [
    ...findOffsetFaults('starts_at', starts_at, timezone),
    ...findOffsetFaults('ends_at', ends_at, timezone),
    ...findLengthFaults(starts_at, ends_at),
  ]
}

// Temporal also accepts offsets and timestamps with a zone in brackets, and returns the IANA spelling. ICU adds names
// in SystemV/, which are not in IANA's list.
function isTimeZone(name: string): boolean {
  if (name.length > 64 || !/^(?:UTC|(?!SystemV\/)[A-Za-z_]+\/[A-Za-z0-9_+/-]+)$/.test(name)) return false
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId === name
  } catch {
    return false
  }
}

function findOffsetFaults(member: string, text: string | undefined, timezone: string | undefined): MemberFault[] {
  if (text === undefined || timezone === undefined) return []
  const right = findOffsets(text, timezone)
  const offset = text.endsWith('Z') ? '+00:00' : text.slice(-6)
  if (right.includes(offset)) return []
  const message =
    right.length > 0
      ? `must have the offset that ${timezone} has at that time: ${right.join(' or ')}`
      : `does not exist in ${timezone}, because the clocks go forward then; choose another time`
  return [{ path: [member], message }]
}

/** The offsets at which a zone's clocks show this time: one, two when they go back, none when they go forward. */
function findOffsets(text: string, timezone: string): string[] {
  const local = Temporal.PlainDateTime.from(text.slice(0, 'yyyy-mm-ddThh:mm:ss'.length))
  const readings = (['earlier', 'later'] as const).map((disambiguation) =>
    local.toZonedDateTime(timezone, { disambiguation }),
  )
  const shown = readings.filter((reading) => reading.toPlainDateTime().equals(local))
  return [...new Set(shown.map(({ offset }) => offset))]
}

function findLengthFaults(starts_at: string | undefined, ends_at: string | undefined): MemberFault[] {
  if (starts_at === undefined || ends_at === undefined) return []
  const length = Date.parse(ends_at) - Date.parse(starts_at)
  if (length <= 0) return [{ path: ['ends_at'], message: 'must be after starts_at' }]
  if (length <= maxDays * 86_400_000) return []
  return [{ path: ['ends_at'], message: `must be at most a year (${maxDays} days) after starts_at` }]
}

/** The months in which an event takes place, as its own clock shows them: `2026-11`, `2026-12`. At most 13. */
export function monthsOf({ starts_at, ends_at }: { starts_at: string; ends_at: string }): string[] {
  const last = Temporal.PlainYearMonth.from(ends_at.slice(0, 7))
  const months: string[] = []
  for (
    let month = Temporal.PlainYearMonth.from(starts_at.slice(0, 7));
    Temporal.PlainYearMonth.compare(month, last) <= 0;
    month = month.add({ months: 1 })
  )
    months.push(month.toString())
  return months
}
