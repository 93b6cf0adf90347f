/** `42 s`, `7 min`, `3 h 20 min`, `2 days 4 h`: as exact as it is of use. */
export function howLong(seconds: number): string {
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours < 24) return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
  const days = Math.floor(hours / 24)
  const named = days === 1 ? '1 day' : `${days} days`
  return hours % 24 === 0 ? named : `${named} ${hours % 24} h`
}
