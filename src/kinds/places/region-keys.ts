import { readFileSync } from 'node:fs'
import { foldPlaceName } from './fold-place-name.ts'
import { listCountries, listSubdivisions } from './regions.ts'

/** A country or one of its subdivisions. */
export type Region = { country: string; state?: string }

/** A region under one of its names. */
export type RegionKey = { key: string; region: Region; isMainName: boolean }

let loaded: { sorted: RegionKey[]; byCode: ReadonlyMap<string, Region[]> } | undefined

/** Loaded on first use, because only processes that look places up need it: it takes about 60 ms and 3 MB. */
function openRegions() {
  loaded ??= { sorted: readKeys(), byCode: regionCodes() }
  return loaded
}

/** Each line is a key, a tab, a code, and a `~` if the key is not the main name. */
function readKeys(): RegionKey[] {
  const lines = readFileSync(new URL('tables/region-keys.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => {
    const tab = line.indexOf('\t')
    const isMainName = !line.endsWith('~')
    const code = line.slice(tab + 1, isMainName ? undefined : -1)
    return { key: line.slice(0, tab), region: regionOf(code), isMainName }
  })
}

const regionOf = (code: string): Region =>
  code.length === 2 ? { country: code } : { country: code.slice(0, 2), state: code }

/** Countries by their code, and subdivisions by the whole code and by its part after the country. */
function regionCodes(): Map<string, Region[]> {
  const codes = new Map<string, Region[]>()
  const add = (code: string, region: Region) => {
    const known = codes.get(code)
    if (known) known.push(region)
    else codes.set(code, [region])
  }
  for (const { code } of listCountries()) add(code.toLowerCase(), regionOf(code))
  for (const state of listSubdivisions()) {
    add(state.toLowerCase().replace('-', ''), regionOf(state))
    add(state.slice(3).toLowerCase(), regionOf(state))
  }
  return codes
}

/** The regions with exactly this name. */
export const regionsNamed = (key: string): RegionKey[] => regionsFrom(key, (one) => one === key)

/** The regions with a name that starts like this. */
export const regionsStarting = (prefix: string): RegionKey[] => regionsFrom(prefix, (one) => one.startsWith(prefix))

/** The regions with this code, such as `pt`, `pt11` or `or`. */
export const regionsCoded = (code: string): Region[] => openRegions().byCode.get(code) ?? []

function regionsFrom(from: string, matches: (key: string) => boolean): RegionKey[] {
  const { sorted } = openRegions()
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle]?.key ?? '') < from) low = middle + 1
    else high = middle
  }
  const found: RegionKey[] = []
  for (let at = low; at < sorted.length && matches(sorted[at]?.key ?? ''); at++) found.push(sorted[at] as RegionKey)
  return found
}

/** The codes of the subdivisions with this name, code or last part of a code. */
export function statesNamed(text: string): string[] {
  const key = foldPlaceName(text)
  const regions = [...regionsNamed(key).map(({ region }) => region), ...regionsCoded(key)]
  return regions.flatMap(({ state }) => state ?? [])
}
