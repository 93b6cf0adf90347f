import { readFileSync } from 'node:fs'
import type { Random } from '../../../tooling/random.ts'
import { type Zipf, zipf } from './zipf.ts'

export type Place = { country: string; state?: string; city?: { geonames_id: number; name: string } }
export type Places = { draw: (random: Random, precision: 'region' | 'city') => Place }

type City = { id: number; name: string; fame: number }
type Country = { code: string; states: string[]; cities: City[]; cityRanks: Zipf }

/** Real places. Countries with many cities, and cities with names in many languages, occur more often. */
export function readPlaces(): Places {
  const countries = readCountries()
  const countryRanks = zipf(countries.length, 1)
  return {
    draw: (random, precision) => {
      const { code, states, cities, cityRanks } = countries[countryRanks.draw(random)] as Country
      if (precision === 'city' && cities.length > 0 && random.chance(0.5)) {
        const { id, name } = cities[cityRanks.draw(random)] as City
        return { country: code, city: { geonames_id: id, name } }
      }
      // The tables do not contain a city's region.
      const hasState = states.length > 0 && random.chance(0.5)
      return { country: code, ...(hasState && { state: random.pick(states) }) }
    },
  }
}

function readCountries(): Country[] {
  const fame = new Map(rowsOf('city-names.tsv').map(([id, ...names]) => [id, names.length]))
  const cities = Map.groupBy(rowsOf('cities.tsv'), ([, country]) => country)
  const states = Map.groupBy(rowsOf('subdivisions.tsv'), ([code]) => code?.slice(0, 2))
  return rowsOf('countries.tsv')
    .map(([code = '']) => {
      const own = (cities.get(code) ?? []).map(([id, , name = '']) => ({
        id: Number(id),
        name,
        fame: fame.get(id) ?? 0,
      }))
      return {
        code,
        states: (states.get(code) ?? []).map(([state = '']) => state),
        cities: own.sort((one, other) => other.fame - one.fame || one.id - other.id),
        cityRanks: zipf(Math.max(1, own.length), 1),
      }
    })
    .sort((one, other) => other.cities.length - one.cities.length)
}

const folder = new URL('../../../src/kinds/places/tables/', import.meta.url)

const rowsOf = (file: string) =>
  readFileSync(new URL(file, folder), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
