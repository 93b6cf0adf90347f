import { z } from 'zod'
import { line } from '../contract/fields.ts'
import { checkedObject, type Filter, type MemberFault } from './define-kind.ts'
import { findCity, isNameOf } from './places/cities.ts'
import { countryName, listCountries, subdivisionName } from './places/regions.ts'

export const country = z
  .string()
  .refine(
    (code) => countryName(code) !== undefined,
    'must be an ISO 3166-1 country code of two capital letters, such as PT',
  )
  .meta({ description: 'ISO 3166-1 alpha-2, in capital letters.', pattern: '^[A-Z]{2}$', examples: ['PT'] })

const state = z
  .string()
  .refine(
    (code) => subdivisionName(code) !== undefined,
    'must be an ISO 3166-2 code: the country, a hyphen and the subdivision, such as PT-11',
  )
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
  .overwrite((value) => ({ ...value, name: findCity(value.geonames_id)?.name ?? value.name }))
  .meta({ description: 'The city, as in GeoNames.' })

/** A country and, optionally, a subdivision. */
export const region = checkedObject({ country, state: state.optional() }, findStateFaults).meta({
  description: 'The country and subdivision: see GET /v1/places.',
  examples: [{ country: 'PT', state: 'PT-11' }],
})

/** A region with an optional city. */
export const place = checkedObject({ country, state: state.optional(), city: city.optional() }, (members) => [
  ...findStateFaults(members),
  ...findCityFaults(members),
]).meta({
  description: 'The place that the post is about, as GET /v1/places returns it.',
  examples: [{ country: 'PT', state: 'PT-11', city: { geonames_id: 2267057, name: 'Lisbon' } }],
})

type Place = { country?: string; state?: string | undefined; city?: { geonames_id: number } | undefined }

function findStateFaults({ country, state }: Place): MemberFault[] {
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
