import { z } from 'zod'
import { line } from '../contract/fields.ts'
import { referenceAddress } from '../contract/generators/reference-address.ts'
import type { FieldHints } from '../contract/problems/field-hints.ts'
import { checkedObject, type Filter, type MemberFault } from './define-kind.ts'
import { findCity, isNameOf } from './places/cities.ts'
import { type FoundPlace, findPlaces } from './places/find-places.ts'
import { statesNamed } from './places/region-keys.ts'
import { countryName, listCountries, subdivisionName } from './places/regions.ts'

export const country = z
  .string()
  .superRefine((code, context) => {
    if (countryName(code) !== undefined) return
    const message = 'must be a two-letter ISO 3166-1 country code in uppercase, such as PT'
    context.addIssue({ code: 'custom', message, params: { hints: regionHints(code, ({ state }) => !state) } })
  })
  .meta({ description: 'ISO 3166-1 alpha-2, in capital letters.', pattern: '^[A-Z]{2}$', examples: ['PT'] })

const notState = 'must be an ISO 3166-2 code: country code, hyphen, subdivision code, such as PT-11'

const state = z
  .string()
  .superRefine((code, context) => {
    if (subdivisionName(code) !== undefined) return
    const hints = regionHints(code, ({ state }) => state !== undefined)
    context.addIssue({ code: 'custom', message: notState, params: { hints } })
  })
  .meta({
    description: 'ISO 3166-2: a subdivision of the country.',
    pattern: '^[A-Z]{2}-[A-Z0-9]{1,3}$',
    examples: ['PT-11'],
  })

const city = checkedObject(
  {
    geonames_id: z
      .int()
      .min(1)
      .max(2 ** 32 - 1)
      .meta({ description: 'The city’s geonames.org ID. Do not guess it.', examples: [2267057] }),
    name: line(1, 200).meta({
      description: 'One of the city’s names. The post shows the main name from GeoNames.',
      examples: ['Lisbon'],
    }),
  },
  ({ geonames_id, name }) => {
    if (geonames_id === undefined) return []
    const found = findCity(geonames_id)
    if (!found) return [{ path: ['geonames_id'], message: 'is not a known city; correct it or omit city' }]
    if (name === undefined || isNameOf(found, name)) return []
    return [{ path: ['name'], message: `is not a name of that city; send ${JSON.stringify(found.name)}` }]
  },
)
  .overwrite((value) => {
    const found = findCity(value.geonames_id)
    return found && isNameOf(found, value.name) ? { ...value, name: found.name } : value
  })
  .meta({ description: 'The city, as in GeoNames.' })

/** A country and, optionally, a subdivision. */
export const region = checkedObject({ country, state: state.optional() }, (members, given) => [
  ...findStateFaults(members, given),
  ...(typeof given === 'string' ? findPlaceFaults(given, regionsFor(given), isText) : []),
]).meta({
  description: 'The country and subdivision: see GET /v1/places.',
  examples: [{ country: 'PT', state: 'PT-11' }],
})

/** A region with an optional city. */
export const place = checkedObject({ country, state: state.optional(), city: city.optional() }, (members, given) => [
  ...findStateFaults(members, given),
  ...findCityFaults(members),
  ...findNameFaults(given),
]).meta({
  description: 'The place that the post is about, as GET /v1/places returns it.',
  examples: [{ country: 'PT', state: 'PT-11', city: { geonames_id: 2267057, name: 'Lisbon' } }],
})

type Place = { country?: string; state?: string | undefined; city?: { geonames_id: number } | undefined }

function findStateFaults({ country, state }: Place, given: unknown): MemberFault[] {
  if (country !== undefined && state === undefined) return findCodeFaults(country, given)
  if (country === undefined || state === undefined || state.startsWith(`${country}-`)) return []
  return [{ path: ['state'], message: `must be a subdivision of ${country}: a code that begins with ${country}-` }]
}

function findCityFaults({ country, city }: Place): MemberFault[] {
  const found = city && findCity(city.geonames_id)
  if (country === undefined || found === undefined || found.country === country) return []
  return [
    { path: ['city', 'geonames_id'], message: `is a city in ${found.country}, not in ${country}; correct one of them` },
  ]
}

/** A state by its name or by the last part of its code: `Oregon` or `OR` in the US. */
function findCodeFaults(country: string, given: unknown): MemberFault[] {
  const sent = memberOf(given, 'state')
  if (typeof sent !== 'string' || subdivisionName(sent)) return []
  const closest = statesNamed(sent.slice(0, longestName)).find((code) => code.startsWith(`${country}-`))
  if (!closest) return []
  return [{ path: ['state'], message: notState, hints: { closest, expected: closest, docs }, covers: true }]
}

/** A place by its name alone, or a city whose id is missing or wrong: the places that the name can mean. */
function findNameFaults(given: unknown): MemberFault[] {
  if (typeof given === 'string')
    return findPlaceFaults(given, findPlaces(given.slice(0, longestName), { limit: 5 }), isText)
  const city = memberOf(given, 'city')
  const [name, id] = [typeof city === 'string' ? city : memberOf(city, 'name'), memberOf(city, 'geonames_id')]
  const known = typeof id === 'number' ? findCity(id) : undefined
  const isNumber = typeof id === 'number' && Number.isInteger(id) && id > 0 && id < 2 ** 32
  if (typeof name !== 'string' || (id !== undefined && !isNumber) || (known && isNameOf(known, name))) return []
  const sent = memberOf(given, 'country')
  const within = typeof sent === 'string' && countryName(sent) ? sent : undefined
  const found = findPlaces(name.slice(0, longestName), { country: within, limit: 20 })
  const cities = found.filter(({ location }) => location.city && (!id || hasName(location.city.geonames_id, name)))
  return findPlaceFaults(name, cities.slice(0, 5), id === undefined ? withoutId : withWrongId)
}

const hasName = (id: number, name: string) => {
  const city = findCity(id)
  return city !== undefined && isNameOf(city, name)
}

const longestName = 200
const docs = referenceAddress({ tag: 'Service', id: 'findPlaces' })

const withoutId = 'has a city without a geonames_id'
const withWrongId = 'has a geonames_id that does not match the city’s name'
const isText = 'must be an object with a country code'

function findPlaceFaults(name: string, places: readonly FoundPlace[], fault: string): MemberFault[] {
  const allowed = places.map(({ location }) => location)
  if (name.trim() === '' || allowed.length === 0) return []
  const message = `${fault}; send one of the locations in \`allowed\`, or find others with GET /v1/places (tool find_place)`
  return [{ path: [], message, hints: { allowed, closest: allowed[0], docs }, covers: true }]
}

/** The countries and states that a text can mean, for kinds without cities. */
function regionsFor(text: string): FoundPlace[] {
  const found = findPlaces(text.slice(0, longestName), { limit: 5 })
  const regions = found.map(({ label, location: { country, state } }) => ({
    label,
    location: { country, ...(state && { state }) },
  }))
  return regions.filter(
    ({ location }, index) =>
      regions.findIndex((one) => one.location.country === location.country && one.location.state === location.state) ===
      index,
  )
}

/** The code that a name or another code probably means. */
function regionHints(text: string, isWanted: (location: FoundPlace['location']) => boolean): FieldHints {
  const found = findPlaces(text.slice(0, longestName), { limit: 20, findsTypos: false })
  const location = found.map((one) => one.location).find((one) => !one.city && isWanted(one))
  return { ...(location && { closest: location.state ?? location.country }), docs }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

type PlaceFacets = { country?: string; state?: string; city?: number }

export function placeFacets({ location }: { location?: Place | undefined }): PlaceFacets {
  const { country, state, city } = location ?? {}
  return { ...(country && { country }), ...(state && { state }), ...(city && { city: city.geonames_id }) }
}

/** The listings of the country, subdivision and city. A hyphen in the path replaces a missing subdivision. */
export function placeListings({ location }: { location?: Place | undefined }): string[] {
  if (!location?.country) return []
  const country = `places/${location.country.toLowerCase()}`
  const state = location.state && `${country}/${location.state.toLowerCase()}`
  const city = location.city && `${state ?? `${country}/-`}/${location.city.geonames_id}`
  return [country, state, city].filter((path) => path !== undefined)
}

const countryOptions = () => listCountries().map(({ code, name }) => ({ value: code, label: name }))

export const regionFilters = {
  country: {
    query: country,
    facet: 'country',
    compare: 'equals',
    search: { label: 'Country', anyLabel: 'Anywhere', options: countryOptions },
  },
  // People know no codes of states and cities, and a form without scripts cannot look them up.
  state: { query: state, facet: 'state', compare: 'equals', search: 'api-only' },
} satisfies Record<string, Filter>

export const placeFilters = {
  ...regionFilters,
  city: {
    query: z
      .string()
      .regex(/^[1-9][0-9]{0,9}$/, 'must be the geonames.org ID of a city, such as 2267057')
      .transform(Number)
      .pipe(z.int())
      .meta({ description: 'The GeoNames ID of a city.', examples: ['2267057'] }),
    facet: 'city',
    compare: 'equals',
    search: 'api-only',
  },
} satisfies Record<string, Filter>
