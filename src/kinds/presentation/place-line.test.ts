import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeLinks, placeName } from './place-line.ts'

const munich = { country: 'DE', state: 'DE-BY', city: { geonames_id: 2867714, name: 'Munich' } }
const lisbon = { country: 'PT', state: 'PT-11', city: { geonames_id: 2267057, name: 'Lisbon' } }

test('a place is named from the smallest part to the largest', () => {
  assert.equal(placeName(munich), 'Munich, Bavaria, Germany')
  assert.equal(placeName({ country: 'PT' }), 'Portugal')
})

test('a repeated name is shown once', () => {
  assert.equal(placeName(lisbon), 'Lisbon, Portugal')
  assert.equal(placeLinks(lisbon), '<a href="/places/pt/pt-11/2267057/">Lisbon</a>, <a href="/places/pt/">Portugal</a>')
  assert.equal(placeName({ country: 'LU', state: 'LU-LU', city: { geonames_id: 1, name: 'Luxembourg' } }), 'Luxembourg')
})

test('each part links to its listing', () => {
  assert.equal(
    placeLinks(munich),
    '<a href="/places/de/de-by/2867714/">Munich</a>, <a href="/places/de/de-by/">Bavaria</a>, <a href="/places/de/">Germany</a>',
  )
  assert.match(placeLinks({ country: 'PT', city: lisbon.city }), /^<a href="\/places\/pt\/-\/2267057\/">Lisbon<\/a>, /)
})
