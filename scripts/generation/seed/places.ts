import { readFileSync } from 'node:fs'
import type { Random } from '../../../tooling/random.ts'
import { zipf } from './vocabulary.ts'

export type Places = ReturnType<typeof readPlaces>

/** Real places. Countries with many cities, and the first cities of each, occur more often. */
export function readPlaces() {
  const cities = Map.groupBy(rowsOf('cities.tsv'), ([, country]) => country)
  const states = Map.groupBy(rowsOf('subdivisions.tsv'), ([code]) => code?.slice(0, 2))
  const countries = rowsOf('countries.tsv')
    .map(([code = '']) => {
      const own = cities.get(code) ?? []
      return { code, cities: own, cityRanks: zipf(Math.max(1, own.length), 1), states: states.get(code) ?? [] }
    })
    .sort((one, other) => other.cities.length - one.cities.length)
  const countryRanks = zipf(countries.length, 1)
  return {
    draw: (random: Random, precision: 'region' | 'city') => {
      const country = countries[countryRanks.draw(random)] as (typeof countries)[number]
      const { code, cityRanks } = country
      if (precision === 'city' && country.cities.length > 0 && random.chance(0.5)) {
        const [id, , name] = country.cities[cityRanks.draw(random)] as string[]
        return { country: code, city: { geonames_id: Number(id), name } }
      }
      // The tables do not contain a city's region.
      const hasState = country.states.length > 0 && random.chance(0.5)
      return { country: code, ...(hasState && { state: random.pick(country.states)[0] }) }
    },
  }
}

const folder = new URL('../../../src/kinds/places/tables/', import.meta.url)

const rowsOf = (file: string) =>
  readFileSync(new URL(file, folder), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
