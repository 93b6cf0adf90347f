import { readFileSync } from 'node:fs'

/** A city under one of its names. */
export type CityKey = { id: number; country: string; rank: number; isMainName: boolean }

/** The rank of a population on a logarithmic scale that fits into two digits of base 36. */
export const rankOf = (population: number): number =>
  Math.min(Math.round((Math.log(Math.max(population, 1)) / Math.log(30_000_000)) * highestRank), highestRank)

export const highestRank = 36 ** 2 - 1

const [newline, tab] = [10, 9]

type Keys = { bytes: Buffer; starts: Uint32Array }

let loaded: Keys | undefined

/**
 * `city-keys.tsv`: lines of a key, a tab and `<rank><country><= or ~><id>`, sorted by bytes. The lines stay bytes, so
 * that loading takes about 50 ms and 7 MB: sorting the names here would block the process for a second.
 */
function openKeys(): Keys {
  if (loaded) return loaded
  const bytes = readFileSync(new URL('tables/city-keys.tsv', import.meta.url))
  const starts = new Uint32Array(bytes.length / shortestLine)
  let lines = 0
  for (let at = 0; at < bytes.length; at = bytes.indexOf(newline, at) + 1) starts[lines++] = at
  loaded = { bytes, starts: starts.slice(0, lines) }
  return loaded
}

/** A letter, a tab, a value and a line break. */
const shortestLine = 10

/** The cities with exactly this name. */
export function citiesNamed(key: string): CityKey[] {
  const found: CityKey[] = []
  scan(Buffer.from(`${key}\t`), (bytes, start) => void found.push(readValue(bytes, bytes.indexOf(tab, start) + 1)))
  return found
}

/** The highest-ranked cities with a name that starts like this and passes the test, at most `limit`. */
export function citiesStarting(
  prefix: string,
  { limit, accepts }: { limit: number; accepts: (city: CityKey, key: () => string) => boolean },
): CityKey[] {
  const found: CityKey[] = []
  let least = -1
  scan(Buffer.from(prefix), (bytes, start) => {
    let at = start
    while (bytes[at] !== tab) at++
    if (rankAt(bytes, at + 1) <= least) return
    const city = readValue(bytes, at + 1)
    if (!accepts(city, () => bytes.toString('utf8', start, at))) return
    insertByRank(found, city, limit)
    if (found.length === limit) least = found.at(-1)?.rank ?? -1
  })
  return found
}

function insertByRank(found: CityKey[], city: CityKey, limit: number): void {
  const place = found.findIndex(({ rank }) => rank < city.rank)
  found.splice(place < 0 ? found.length : place, 0, city)
  if (found.length > limit) found.pop()
}

/** Bounds the work for a short prefix. The longest range of three letters has 8,000 lines. */
const mostLines = 20_000

/** Calls back with each line that starts with these bytes. */
function scan(prefix: Buffer, visit: (bytes: Buffer, start: number) => void): void {
  const { bytes, starts } = openKeys()
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareAt(bytes, starts[middle] ?? 0, prefix) < 0) low = middle + 1
    else high = middle
  }
  const end = Math.min(starts.length, low + mostLines)
  for (let line = low; line < end; line++) {
    const start = starts[line] ?? 0
    if (compareAt(bytes, start, prefix) !== 0) return
    visit(bytes, start)
  }
}

/** Compares the beginning of a line with these bytes. A shorter line ends with a smaller byte than any letter. */
function compareAt(bytes: Buffer, start: number, prefix: Buffer): number {
  for (let index = 0; index < prefix.length; index++) {
    const difference = (bytes[start + index] ?? 0) - (prefix[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

const rankAt = (bytes: Buffer, at: number) => 36 * digitAt(bytes, at) + digitAt(bytes, at + 1)

/** A digit of base 36: `0` is 48, `a` is 97. */
function digitAt(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0
  return byte < 97 ? byte - 48 : byte - 87
}

function readValue(bytes: Buffer, at: number): CityKey {
  const value = bytes.toString('latin1', at, bytes.indexOf(newline, at))
  return {
    rank: rankAt(bytes, at),
    country: value.slice(2, 4),
    isMainName: value[4] === '=',
    id: Number.parseInt(value.slice(5), 36),
  }
}
