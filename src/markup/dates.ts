/** `15 Nov 2026`, in UTC */
export function shortDay(at: Date): string {
  const [, day, month, year] = at.toUTCString().split(' ')
  return `${Number(day)} ${month} ${year}`
}

/** `15 Nov 2026, 12:00 UTC` */
export const shortTime = (at: Date): string => `${shortDay(at)}, ${at.toISOString().slice(11, 16)} UTC`
