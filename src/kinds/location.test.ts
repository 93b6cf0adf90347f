import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import { refusals } from '../../test/support/http/refusals.ts'
import type { FieldError } from '../contract/problems/problem.ts'
import { fieldErrorsOf } from '../contract/problems/validation-errors.ts'
import { place, placeFacets, placeFilters, region } from './location.ts'

const notCountry = 'must be a two-letter ISO 3166-1 country code in uppercase, such as PT'
const notState = 'must be an ISO 3166-2 code: country code, hyphen, subdivision code, such as PT-11'
const lisbon = { geonames_id: 2267057, name: 'Lisbon' }

test('the country is required and an ISO 3166-1 code in capital letters', () => {
  assert.deepEqual(refusals(region, { country: 'PT' }), [])
  assert.deepEqual(refusals(region, {}), ['#/country is required'])
  for (const country of ['pt', 'XK', 'UK', 'PRT', '', 'ZZ', '__proto__'])
    assert.deepEqual(refusals(region, { country }), [`#/country ${notCountry}`], country)
})

test('the state is a subdivision of that country', () => {
  assert.deepEqual(refusals(region, { country: 'GB', state: 'GB-SCT' }), [])
  assert.deepEqual(refusals(region, { country: 'GB', state: 'GB-EDH' }), [])
  for (const state of ['PT-99', 'PT', 'pt-11', '11', ''])
    assert.deepEqual(refusals(region, { country: 'PT', state }), [`#/state ${notState}`], state)
  assert.deepEqual(refusals(region, { country: 'PT', state: 'ES-MD' }), [
    '#/state must be a subdivision of PT: a code that begins with PT-',
  ])
})

test('the city must exist, be in that country and have that name', () => {
  assert.deepEqual(refusals(place, { country: 'PT', city: lisbon }), [])
  assert.deepEqual(refusals(place, { country: 'PT', city: { geonames_id: 1, name: 'Nowhere at all' } }), [
    '#/city/geonames_id is not a known city; correct it or omit city',
  ])
  assert.deepEqual(refusals(place, { country: 'ES', city: lisbon }), [
    '#/city/geonames_id is a city in PT, not in ES; correct one of them',
  ])
  assert.deepEqual(refusals(place, { country: 'PT', city: { ...lisbon, name: 'Nowhere at all' } }), [
    '#/city/name is not a name of that city; send "Lisbon"',
  ])
})

test('a place by name, or with a wrong id, is refused with places that can be sent as they are', () => {
  const inPortugal = { country: 'PT', state: 'PT-11', city: lisbon }
  const wrong = [
    { country: 'PT', city: { name: 'Lisbon' } },
    { country: 'PT', city: 'lisboa' },
    { city: { name: 'Lisbon' } },
    { country: 'PT', city: { geonames_id: 1, name: 'Lisbon' } },
    { country: 'PT', city: { geonames_id: 2735943, name: 'Lisbon' }, street: 'x' },
    { country: 'Portugal', city: { name: 'Lisbon' } },
    'Lisbon',
    'Lisbon, Portugal',
  ]
  for (const input of wrong) {
    const { error } = place.safeParse(input)
    assert.ok(error)
    const errors = fieldErrorsOf(error, { schema: place, input })
    assert.equal(errors.length, 1, JSON.stringify([input, errors]))
    const [{ pointer, allowed = [], closest, docs } = {} as FieldError] = errors
    assert.equal(pointer, '#')
    assert.deepEqual(closest, inPortugal)
    assert.equal(docs, '/docs/reference/service/#findPlaces')
    assert.ok(allowed.length <= 5)
    for (const location of allowed) assert.deepEqual(refusals(place, location), [])
  }
  assert.deepEqual(refusals(place, 'xqzzy'), ['# must be an object'])
})

test('a region by name is refused with its code', () => {
  const errorOf = (input: unknown) =>
    fieldErrorsOf(region.safeParse(input).error as z.ZodError, { schema: region, input })
  assert.equal(errorOf({ country: 'Portugal' })[0]?.closest, 'PT')
  assert.equal(errorOf({ country: 'UK' })[0]?.closest, 'GB')
  assert.equal(errorOf({ country: 'pt' })[0]?.closest, 'PT')
  assert.equal(errorOf({ country: 'US', state: 'OR' })[0]?.closest, 'US-OR')
  assert.equal(errorOf({ country: 'US', state: 'Oregon' })[0]?.closest, 'US-OR')
  assert.deepEqual(errorOf('Bavaria')[0]?.closest, { country: 'DE', state: 'DE-BY' })
})

test('the canonical name is stored, whichever name was sent', () => {
  for (const name of ['LISBON', 'lisboa', 'Lissabon'])
    assert.deepEqual(place.parse({ country: 'PT', city: { ...lisbon, name } }), { country: 'PT', city: lisbon })
})

test('the id is an integer in the range of the table', () => {
  for (const id of [0, -1, 1.5, 2 ** 32, 1e300, '2267057', null])
    assert.match(
      refusals(place, { country: 'PT', city: { geonames_id: id, name: 'Lisbon' } }).join(),
      /geonames_id must/,
    )
})

test('only messages have a city', () => {
  assert.deepEqual(refusals(region, { country: 'PT', city: lisbon }), ['#/city is not recognized'])
})

test('all errors in a place are reported together', () => {
  assert.deepEqual(refusals(place, { country: 'ES', state: 'PT-11', city: { ...lisbon, zip: '1' }, street: 'x' }), [
    '#/city/zip is not recognized',
    '#/street is not recognized',
    '#/state must be a subdivision of ES: a code that begins with ES-',
  ])
  assert.deepEqual(refusals(place, { state: 'PT-11', city: { geonames_id: 1 } }), [
    '#/country is required',
    '#/city/name is required',
    '#/city/geonames_id is not a known city; correct it or omit city',
  ])
})

test('a place has facets for its codes and its city id', () => {
  assert.deepEqual(placeFacets({ location: { country: 'PT', state: 'PT-11', city: lisbon } }), {
    country: 'PT',
    state: 'PT-11',
    city: 2267057,
  })
  assert.deepEqual(placeFacets({ location: { country: 'PT' } }), { country: 'PT' })
  assert.deepEqual(placeFacets({}), {})
})

test('filters accept facet values and reject others with a message', () => {
  const { country, state, city } = placeFilters
  assert.deepEqual(
    [country.query.parse('PT'), state.query.parse('PT-11'), city.query.parse('2267057')],
    ['PT', 'PT-11', 2267057],
  )
  assert.deepEqual(refusals(country.query, 'pt'), [`# ${notCountry}`])
  assert.deepEqual(refusals(state.query, 'PT-99'), [`# ${notState}`])
  for (const wrong of ['', '0', '-1', '1.5', 'Lisbon', '1e3', '12345678901'])
    assert.deepEqual(refusals(city.query, wrong), ['# must be the geonames.org ID of a city, such as 2267057'], wrong)
})
