/** The duration in hours, minutes and seconds: `3 h 25 min 45 s`. */
export function duration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'min'],
    [seconds % 60, 's'],
  ] as const
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ')
}

const units = [
  { unit: 'day', size: 86_400, least: 2 },
  { unit: 'hour', size: 3_600, least: 1 },
  { unit: 'minute', size: 60, least: 1 },
] as const

/** In the largest unit that needs no fraction: `30 days`, `1 hour`. A single day is `24 hours`. */
export function inWords(seconds: number): string {
  const found = units.find(({ size, least }) => seconds % size === 0 && seconds >= size * least)
  const { unit, size } = found ?? { unit: 'second', size: 1 }
  const amount = seconds / size
  return `${amount} ${amount === 1 ? unit : `${unit}s`}`
}
