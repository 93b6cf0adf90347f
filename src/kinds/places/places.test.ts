import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { type City, findCity, isNameOf } from './cities.ts'
import { countryName, subdivisionName, subdivisionNames } from './regions.ts'
import { sortedTable } from './sorted-table.ts'

const rowsOf = (file: string) =>
  readFileSync(new URL(`tables/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))

test('countries are those of ISO 3166-1, in capital letters', () => {
  assert.equal(rowsOf('countries.tsv').length, 249)
  assert.equal(countryName('PT'), 'Portugal')
  for (const code of ['XK', 'EU', 'UK', 'AN', 'pt', 'PRT', '', 'constructor'])
    assert.equal(countryName(code), undefined)
})

test('every subdivision belongs to a country', () => {
  const codes = rowsOf('subdivisions.tsv').map(([code]) => String(code))
  assert.equal(codes.length, 5_070)
  assert.ok(codes.every((code) => /^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(code) && countryName(code.slice(0, 2))))
  assert.equal(subdivisionName('IN-WB'), 'West Bengal')
  assert.equal(subdivisionName('PT'), undefined)
})

test('a subdivision has its English name, and search knows its local name too', () => {
  const codes = new Set(rowsOf('subdivisions.tsv').map(([code]) => code))
  for (const [code = '', english] of rowsOf('subdivision-names.tsv')) {
    assert.ok(codes.has(code), code)
    assert.equal(subdivisionName(code), english)
    assert.equal(subdivisionNames(code).length, 2, code)
  }
  assert.deepEqual(subdivisionNames('DE-NI'), ['Lower Saxony', 'Niedersachsen'])
  assert.deepEqual([subdivisionNames('DE-BE'), subdivisionNames('DE-XX')], [['Berlin'], []])
  assert.equal(subdivisionName('GB-PTE'), 'Peterborough')
})

test('every city is found by its id, with its country and name', () => {
  const rows = rowsOf('cities.tsv')
  assert.equal(rows.length, 135_175)
  for (const [id, country, name] of rows) {
    const city = findCity(Number(id))
    assert.ok(city && city.country === country && city.name === name && countryName(city.country), `${id}`)
  }
})

test('every list of alternate names belongs to a city and has no duplicates', () => {
  for (const [id, ...names] of rowsOf('city-names.tsv')) {
    assert.deepEqual(findCity(Number(id))?.otherNames, names)
    assert.equal(new Set(names).size, names.length)
  }
})

test('no id outside the table is found', () => {
  const known = new Set(rowsOf('cities.tsv').map(([id]) => Number(id)))
  for (const id of [0, -1, 1.5, 2_959, 12_145_746, 2 ** 32 + 2_960, Number.NaN, Number.POSITIVE_INFINITY])
    assert.equal(findCity(id), undefined, `${id}`)
  fc.assert(fc.property(fc.integer(), (id) => (findCity(id) !== undefined) === known.has(id)))
})

test('a city matches each of its names, ignoring case, accents and punctuation', () => {
  const city = (id: number) => findCity(id) as City
  const lisbon = city(2267057)
  for (const name of ['Lisbon', 'LISBOA', 'lisbonne', 'Лиссабон', '里斯本'])
    assert.ok(isNameOf(lisbon, name), `Lisbon is ${name}`)
  for (const name of ['', ' ', '.', 'Lis', 'Porto', 'Lisbon Portugal'])
    assert.ok(!isNameOf(lisbon, name), `Lisbon is not ${name}`)
  assert.ok(isNameOf(city(5128581), 'New York'))
  assert.ok(isNameOf(city(2867714), 'München'))
  assert.ok(isNameOf(city(3094802), 'Krakow'))
  assert.ok(isNameOf(city(2618425), 'kobenhavn'))
  assert.ok(isNameOf(city(311665), 'Igdir'))
})

test('every city matches its canonical name', () => {
  for (const [id, , name] of rowsOf('cities.tsv')) assert.ok(isNameOf(findCity(Number(id)) as City, `${name}`), `${id}`)
})

test('a sorted table finds its first and last row, and an empty table finds none', () => {
  const table = sortedTable(Buffer.from('1\ta\n20\tb\tc\n300\té\n'))
  assert.deepEqual([table.find(1), table.find(20), table.find(300)], [['a'], ['b', 'c'], ['é']])
  assert.deepEqual([table.find(0), table.find(2), table.find(301)], [undefined, undefined, undefined])
  assert.equal(sortedTable(Buffer.from('')).find(1), undefined)
})
