import { editDistance } from '../../contract/text/edit-distance.ts'
import { findCity } from './cities.ts'
import { type CityKey, citiesNamed, citiesStarting, highestRank, rankOf } from './city-keys.ts'
import { foldPlaceName, withoutDigraphs, wordsOfPlace } from './fold-place-name.ts'
import { type Region, type RegionKey, regionsCoded, regionsNamed, regionsStarting } from './region-keys.ts'
import { countryName, subdivisionName } from './regions.ts'
import { typosOf } from './typos.ts'

/** A location as a post has it. */
export type FoundLocation = { country: string; state?: string; city?: { geonames_id: number; name: string } }
export type FoundPlace = { label: string; location: FoundLocation }

type Wanted = {
  country?: string | undefined
  limit: number
  /** False for hints in errors, of which one request can cause several: typing errors take milliseconds to find. */
  findsTypos?: boolean
}

/** The places with this name, best first: exact names, then beginnings of names, then names with a typing error. */
export function findPlaces(text: string, { country, limit, findsTypos = true }: Wanted): FoundPlace[] {
  const readings = readingsOf(text).map((reading) => ({ ...reading, country }))
  const found = new Map<string, Candidate>()
  for (const way of [findExact, findBeginnings, ...(findsTypos ? [findMisspelt] : [])]) {
    if (found.size >= (way === findMisspelt ? 1 : limit)) break
    for (const candidate of readings.flatMap((reading) => way(reading, limit))) keepBest(found, candidate)
  }
  return [...found.values()]
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(describe)
}

/** What the text may mean: a name and, if it says more than a name, the regions that the place must be in. */
type Reading = {
  keys: string[]
  within: Region[] | null
  /** The regions were given only by code. */
  isCode: boolean
  /** The text does not say where the name ends, so only a whole name counts. */
  isGuess: boolean
}
type Search = Reading & { country: string | undefined }

/** "Portland, OR" is a name and a region; "Portland OR" can be a name or both. */
function readingsOf(text: string): Reading[] {
  const whole = { keys: spellingsOf(foldPlaceName(text)), within: null, isCode: false, isGuess: false }
  const [name = '', ...rest] = text.split(/[,،、;(/]/).filter((part) => part.trim() !== '')
  if (rest.length > 0) return [whole, ...qualified(foldPlaceName(name), rest.map(foldPlaceName))]
  const words = wordsOfPlace(text)
  const ends = [1, 2, 3].filter((count) => count < words.length)
  const guesses = ends.flatMap((count) => qualified(words.slice(0, -count).join(''), [words.slice(-count).join('')]))
  return [whole, ...guesses.map((reading) => ({ ...reading, isGuess: true }))]
}

/** The reading as a name within regions; none if the rest of the text names no region. */
function qualified(name: string, rest: readonly string[]): Reading[] {
  const each = rest.map((key) => ({
    named: regionsNamed(key).map(({ region }) => region),
    coded: regionsCoded(key),
  }))
  if (name === '' || each.some(({ named, coded }) => named.length + coded.length === 0)) return []
  const [first, ...others] = each.map(({ named, coded }) => [...named, ...coded])
  // "Springfield, Illinois, USA": the state must be in the country.
  const within = (first ?? []).filter((region) =>
    others.every((regions) => regions.some((one) => one.country === region.country)),
  )
  return within.length > 0
    ? [{ keys: spellingsOf(name), within, isCode: each.every(({ named }) => named.length === 0), isGuess: false }]
    : []
}

function spellingsOf(key: string): string[] {
  const withoutArticle = key.length > 6 && key.startsWith('the') ? [key.slice(3)] : []
  return [...new Set([key, withoutDigraphs(key), ...withoutArticle])].filter((one) => one !== '')
}

type Candidate = { score: number; region?: Region; id?: number; country: string }

const tier = 10_000
const qualifierBonus = 2_000
/** A name that is not the main one counts like a city with a 25th of the population: York is also a name of Toronto. */
const otherNamePenalty = 242
const subdivisionRank = rankOf(100_000)

function findExact(search: Search): Candidate[] {
  return search.keys.flatMap((key, index) => [
    ...regionCandidates(search, regionsNamed(key), 3 * tier),
    ...codedCandidates(search, key),
    ...cityCandidates(search, citiesNamed(key), 3 * tier - index),
  ])
}

/** A code alone, such as `PT`, `USA` or `US-OR`. Parts of codes mean something only beside a name. */
const codedCandidates = (search: Search, key: string): Candidate[] =>
  search.within === null
    ? regionCandidates(
        search,
        regionsCoded(key)
          .filter((region) => !region.state || key.length > 3)
          .map((region) => ({ key, region, isMainName: true })),
        3 * tier,
      )
    : []

/** Fewer letters would match too much; names in other scripts are shorter. */
const isLongEnough = (key: string) => key.length >= (/^[a-z0-9]*$/.test(key) ? 3 : 1)

function findBeginnings(search: Search, limit: number): Candidate[] {
  if (search.isGuess) return []
  const accepts = (city: CityKey) => isWithin(search, city)
  return search.keys.filter(isLongEnough).flatMap((key) => [
    ...regionCandidates(
      search,
      regionsStarting(key).filter(({ isMainName }) => isMainName),
      2 * tier,
    ),
    ...cityCandidates(search, citiesStarting(key, { limit: 4 * limit, accepts }), 2 * tier),
  ])
}

/** Two errors only in long names, and not in their first four letters. */
function findMisspelt(search: Search, limit: number): Candidate[] {
  const [key = ''] = search.keys
  if (search.isGuess || key.length < 4 || key.length > 24) return []
  const once = [...new Set(typosOf(key))].flatMap((typo) => [
    ...regionCandidates(search, regionsNamed(typo), tier),
    ...cityCandidates(search, citiesNamed(typo), tier),
  ])
  if (once.length > 0 || key.length < 8) return once
  const isNear = (other: string) => editDistance(key, other, 2) <= 2
  return [
    ...regionCandidates(
      search,
      regionsStarting(key.slice(0, 4)).filter((one) => isNear(one.key)),
      0,
    ),
    ...cityCandidates(
      search,
      citiesStarting(key.slice(0, 4), {
        limit: 4 * limit,
        accepts: (city, nameOf) => isWithin(search, city) && isNear(nameOf()),
      }),
      0,
    ),
  ]
}

function regionCandidates({ country, within }: Search, keys: readonly RegionKey[], base: number): Candidate[] {
  return keys
    .filter(({ region }) => !country || region.country === country)
    .filter(({ region }) => !within || within.some((one) => !one.state && one.country === region.country))
    .map(({ region, isMainName }) => ({
      region,
      country: region.country,
      score:
        base + (region.state ? subdivisionRank : highestRank) - (isMainName ? 0 : otherNamePenalty) + bonus(within),
    }))
}

function cityCandidates(search: Search, keys: readonly CityKey[], base: number): Candidate[] {
  return keys
    .filter((city) => isWithin(search, city))
    .map(({ id, country, rank, isMainName }) => ({
      id,
      country,
      score: base + rank - (isMainName ? 0 : otherNamePenalty) + bonus(search.within),
    }))
}

const bonus = (within: Region[] | null) => (within ? qualifierBonus : 0)

/** A city whose subdivision we do not know passes if the name of the subdivision was given, and not only a code. */
function isWithin({ country, within, isCode }: Search, city: CityKey): boolean {
  if (country && city.country !== country) return false
  if (!within) return true
  const here = within.filter((region) => region.country === city.country)
  if (here.length === 0) return false
  if (here.some(({ state }) => !state)) return true
  const state = findCity(city.id)?.state
  return state ? here.some((region) => region.state === state) : !isCode
}

function keepBest(found: Map<string, Candidate>, candidate: Candidate): void {
  const key = candidate.id === undefined ? JSON.stringify(candidate.region) : String(candidate.id)
  const known = found.get(key)
  if (!known || known.score < candidate.score) found.set(key, candidate)
}

function describe({ id, region, country }: Candidate): FoundPlace {
  const city = id === undefined ? undefined : findCity(id)
  const state = city ? city.state : region?.state
  const names = [city?.name, state && subdivisionName(state), countryName(country)]
  return {
    label: [...new Set(names.filter((name) => name !== undefined && name !== ''))].join(', '),
    location: {
      country,
      ...(state && { state }),
      ...(city && { city: { geonames_id: city.id, name: city.name } }),
    },
  }
}
