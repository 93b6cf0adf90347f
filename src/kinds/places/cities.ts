import { readFileSync } from 'node:fs'
import { type SortedTable, sortedTable } from './sorted-table.ts'

export type City = {
  id: number
  country: string
  name: string
  /** The ISO 3166-2 code of its subdivision, where we know it. */
  state: string | undefined
  otherNames: string[]
}

/** The city with this GeoNames id; undefined if it is not in the table. The first call loads the table. */
export function findCity(id: number): City | undefined {
  const { cities, names } = openTables()
  const [country, name, subdivision] = cities.find(id) ?? []
  if (country === undefined || name === undefined) return undefined
  const state = subdivision && `${country}-${subdivision}`
  return { id, country, name, state, otherNames: names.find(id) ?? [] }
}

/** Whether a city has this name, ignoring case, accents and punctuation. */
export function isNameOf(city: City, name: string): boolean {
  const sought = withoutDotless(name)
  return [city.name, ...city.otherNames].some((one) => collator.compare(withoutDotless(one), sought) === 0)
}

const collator = new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true })

/** A collator treats the Turkish dotless i as a separate letter, but most people type an i. */
const withoutDotless = (name: string) => name.replaceAll('ı', 'i')

let opened: { cities: SortedTable; names: SortedTable } | undefined

/** Loaded on first use, because only some processes validate cities: it takes 5 MB and 15 ms. */
function openTables() {
  opened ??= { cities: readTable('cities.tsv'), names: readTable('city-names.tsv') }
  return opened
}

const readTable = (file: string) => sortedTable(readFileSync(new URL(`tables/${file}`, import.meta.url)))
