/** A number with three digits that matter: `12.3 million`. */
export function inShort(value: number): string {
  const step = [
    [1e12, ' trillion'],
    [1e9, ' billion'],
    [1e6, ' million'],
  ] as const
  const found = step.find(([from]) => value >= from)
  if (found) return `${threeDigits(value / found[0])}${found[1]}`
  return threeDigits(value)
}

export function inBytes(value: number): string {
  const found = (
    [
      [1e12, 'TB'],
      [1e9, 'GB'],
      [1e6, 'MB'],
    ] as const
  ).find(([from]) => value >= from) ?? [1e3, 'KB']
  return `${threeDigits(value / found[0])} ${found[1]}`
}

export const inDollars = (value: number) => `$${value < 10 ? value.toFixed(2) : threeDigits(value)}`

const threeDigits = (value: number): string =>
  Number(value.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 1 })
