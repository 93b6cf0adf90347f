import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { refusals } from '../../../test/support/http/refusals.ts'
import { editDistance } from '../../contract/text/edit-distance.ts'
import { place } from '../location.ts'
import { findPlaces } from './find-places.ts'
import { typosOf } from './typos.ts'

const best = (text: string, country?: string) => findPlaces(text, { country, limit: 5 })[0]
const lisbon = 2267057
const munich = 2867714

const cities: Record<string, readonly [id: number, ...names: string[]]> = {
  Lisbon: [lisbon, 'lisbon', 'LISBOA', 'Lisbon, Portugal', 'Lisbon PT', 'Лиссабон', '里斯本', 'Lisbonn', 'Lsbon'],
  Munich: [munich, 'München', 'Munchen', 'Muenchen', 'munich, bavaria', 'München, Bayern', 'Munich Germany'],
  'São Paulo': [3448439, 'Sao Paulo', 'são-paulo', 'SAO PAULO, Brazil'],
  Köln: [2886242, 'Cologne', 'Koln', 'Koeln', 'Köln, DE'],
  Cairo: [360630, 'القاهرة', 'Cairo, Egypt'],
  Beijing: [1816670, '北京', 'Peking'],
  'San Francisco': [5391959, 'San Fr', 'san francisco ca', 'San Francisco, California, USA'],
  'Portland in Oregon': [5746545, 'Portland, OR', 'Portland OR', 'portland, oregon'],
  'Springfield in Illinois': [4250542, 'Springfield, Illinois', 'Springfield IL', 'springfield, illinois, usa'],
  'St. Louis': [4407066, 'St. Louis', 'Saint Louis, MO', 'st louis'],
  'Saint Petersburg': [498817, 'Saint Petersburg', 'St. Petersburg, Russia', 'Sankt Petersburg'],
  Düsseldorf: [2934246, 'Duesseldorf', 'dusseldorf'],
  'New York': [5128581, 'New York', 'New York City', 'New York, NY'],
  'Washington, D.C.': [4140963, 'Washington DC', 'Washington, D.C.'],
  Philadelphia: [4560349, 'Philadelpia', 'Philadelhpia'],
  Rome: [3169070, 'Roma', 'Rome'],
  York: [2633352, 'York'],
}

for (const [name, [id, ...names]] of Object.entries(cities))
  suite(`${name} is found`, () => {
    for (const text of names)
      test(`as ${text}`, () => {
        assert.equal(best(text)?.location.city?.geonames_id, id, JSON.stringify(best(text)))
      })
  })

const regions: Record<string, readonly string[]> = {
  DE: ['Germany', 'Deutschland', 'Allemagne', 'de', 'Германия'],
  US: ['USA', 'United States', 'US', 'u.s.a.'],
  GB: ['UK', 'Great Britain', 'United Kingdom'],
  NL: ['Holland', 'the Netherlands'],
  GE: ['Georgia'],
  'DE-BY': ['Bavaria', 'Bayern', 'bavaria, germany', 'DE-BY'],
  'US-CA': ['California', 'California, USA'],
  'GB-SCT': ['Scotland'],
  'DE-NI': ['Lower Saxony', 'Niedersachsen'],
}

for (const [code, names] of Object.entries(regions))
  test(`${code} is found as ${names.join(', ')}`, () => {
    for (const text of names) {
      const { country, state, city } = best(text)?.location ?? {}
      assert.deepEqual([state ?? country, city], [code, undefined], text)
    }
  })

test('a city has its subdivision where the tables know it, and its label says so', () => {
  assert.deepEqual(best('Portland, OR'), {
    label: 'Portland, Oregon, United States',
    location: { country: 'US', state: 'US-OR', city: { geonames_id: 5746545, name: 'Portland' } },
  })
  assert.deepEqual(best('Tokyo')?.location.state, undefined)
})

test('the country and the limit are obeyed', () => {
  assert.ok(findPlaces('Paris', { country: 'US', limit: 20 }).every(({ location }) => location.country === 'US'))
  assert.equal(best('Paris', 'US')?.label, 'Paris, Texas, United States')
  for (const limit of [1, 3, 20]) assert.ok(findPlaces('San', { limit }).length <= limit)
  assert.deepEqual(findPlaces('Lisbon', { country: 'JP', limit: 5 }), [])
})

test('an exact name comes before a beginning, and a spelling mistake is forgiven only if nothing else fits', () => {
  const labels = findPlaces('York', { limit: 20 }).map(({ label }) => label)
  assert.ok(
    labels.findIndex((label) => label.startsWith('Yorkton')) > labels.findIndex((label) => /^York,/.test(label)),
  )
  assert.ok(!labels.some((label) => /^Cork,/.test(label)))
})

/** Every answer can be sent as it is: the schema of a message's location accepts it and changes nothing. */
function assertUsable(text: string) {
  for (const { label, location } of findPlaces(text, { limit: 20 })) {
    assert.deepEqual(refusals(place, location), [], label)
    assert.deepEqual(place.parse(location), location)
    assert.ok(label.length > 0 && label.length < 300)
  }
}

test('a message accepts every answer unchanged', () => {
  for (const [, ...names] of Object.values(cities)) for (const name of names) assertUsable(String(name))
  for (const name of Object.values(regions).flat()) assertUsable(name)
  fc.assert(
    fc.property(fc.string({ minLength: 3, maxLength: 4, unit: fc.constantFrom(...'aeilmnorst') }), assertUsable),
  )
})

test('any text of 200 characters is answered, with a bounded number of places', () => {
  const hostile = [
    '(((((',
    '[a-z]*$',
    '\u0000\u0007',
    '‮abc',
    '\ud800',
    ','.repeat(200),
    'a,'.repeat(100),
    '́'.repeat(200),
  ]
  for (const text of [...hostile, 'a'.repeat(200), '__proto__', 'constructor', ' ', '']) assertUsable(text)
  fc.assert(fc.property(fc.string({ maxLength: 200, unit: 'binary' }), assertUsable))
})

test('the edit distance counts insertions, deletions, replacements and swaps up to a limit', () => {
  const pairs: [string, string, number][] = [
    ...([
      ['', '', 0],
      ['a', '', 1],
      ['lisbon', 'lisbonn', 1],
      ['lisbon', 'libson', 1],
    ] as [string, string, number][]),
    ...([
      ['kitten', 'sitting', 3],
      ['abc', 'xyz', 3],
      ['abcd', 'x', 3],
    ] as [string, string, number][]),
  ]
  for (const [one, other, distance] of pairs) assert.equal(editDistance(one, other, 2), distance, `${one} ${other}`)
  const word = fc.string({ minLength: 2, maxLength: 8, unit: fc.constantFrom(...'abc') })
  fc.assert(fc.property(word, (text) => [...typosOf(text)].every((typo) => editDistance(text, typo, 2) <= 1)))
})
