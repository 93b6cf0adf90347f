/** Formats a value as Grafana does for the units that the dashboards use. */
export function formatValue(value: number, unit: string, decimals?: number): string {
  if (!Number.isFinite(value)) return '–'
  switch (unit) {
    case 'percentunit':
      return `${round(100 * value, decimals)}%`
    case 's':
      return seconds(value)
    case 'bytes':
      return scaled(value, 1_024, ['B', 'KiB', 'MiB', 'GiB', 'TiB'])
    case 'none':
      return scaled(value, 1_000, ['', 'K', 'M'])
    default:
      return `${scaled(value, 1_000, ['', 'K', 'M'])} ${suffixes[unit] ?? unit}`
  }
}

const suffixes: Record<string, string> = { reqps: 'req/s', ops: 'ops/s', cpm: '/min', wps: 'wr/s' }

function seconds(value: number): string {
  const size = Math.abs(value)
  if (size === 0) return '0 s'
  if (size < 1) return `${round(1_000 * value)} ms`
  if (size < 120) return `${round(value)} s`
  if (size < 7_200) return `${round(value / 60)} min`
  return size < 172_800 ? `${round(value / 3_600)} h` : `${round(value / 86_400)} d`
}

function scaled(value: number, base: number, names: readonly string[]): string {
  let [rest, index] = [value, 0]
  while (Math.abs(rest) >= base && index < names.length - 1) {
    rest /= base
    index += 1
  }
  return `${round(rest)}${names[index] ? ` ${names[index]}` : ''}`
}

const round = (value: number, decimals?: number) =>
  decimals === undefined ? String(Number(value.toPrecision(3))) : value.toFixed(decimals)
