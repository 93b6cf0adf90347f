import { z } from 'zod'
import { defineOperation } from '../../contract/define-operation.ts'
import { line } from '../../contract/fields.ts'
import { country, place } from '../location.ts'
import { findPlaces } from './find-places.ts'

const lisbon = {
  label: 'Lisbon, Portugal',
  location: { country: 'PT', state: 'PT-11', city: { geonames_id: 2267057, name: 'Lisbon' } },
}

export const placeOperations = [
  defineOperation({
    id: 'findPlaces',
    method: 'GET',
    path: '/v1/places',
    access: 'anyone',
    whenBanned: 'allowed',
    successStatus: 200,
    tag: 'Service',
    summary: 'Find a place by name',
    description:
      'Countries, subdivisions and cities for the `location` of a post, best first. Accepts names in many languages and ' +
      'spellings, beginnings of names, "City, Country" and "City, State". Free. Send `location` unchanged; only messages ' +
      'take `city`.',
    query: z.strictObject({
      q: line(1, 200).meta({ description: 'The name of a place.', examples: ['Lisbon'] }),
      country: country.optional(),
      limit: z.coerce.number().int().min(1).max(20).default(5).meta({ description: 'Number of results.' }),
    }),
    output: z
      .strictObject({
        data: z.array(
          z.strictObject({
            label: z.string().meta({ description: 'The place in English, for people.' }),
            location: place,
          }),
        ),
      })
      .meta({ component: 'PlaceList' }),
    problems: [],
    revalidates: true,
    examples: { query: { q: 'Lisbon' } as never, output: { data: [lisbon] } },
    handle: async (_call, { query: { q, country: within, limit } }) => ({
      data: findPlaces(q, { country: within, limit }),
    }),
  }),
]
