import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusals } from '../../../test/support/http/refusals.ts'
import { decimalsOf, isCurrency } from './currency.ts'
import { classified } from './kind.ts'

const fine = { title: 'A desk', body: 'Oak, two drawers.', category: 'for-sale' }
const wrongIn = (members: object) => refusals(classified.body, { ...fine, ...members })
const priced = (amount: unknown, currency: unknown = 'EUR') => wrongIn({ price: { amount, currency } })

const categories = 'for-sale wanted free services jobs housing vehicles software data community other'.split(' ')
const conditions = 'new like-new good fair for-parts not-applicable'.split(' ')

test('an ad has a title, a body of 10 to 5,000 characters and a category', () => {
  assert.deepEqual(refusals(classified.body, {}), [
    '#/title is required',
    '#/body is required',
    `#/category must be ${categories
      .map((one) => `"${one}"`)
      .join(', ')
      .replace(/, ("other")$/, ' or $1')}`,
  ])
  for (const length of [10, 5_000]) assert.deepEqual(wrongIn({ body: 'x'.repeat(length) }), [])
  for (const length of [9, 5_001])
    assert.deepEqual(wrongIn({ body: 'x'.repeat(length) }), [
      `#/body must have 10 to 5000 characters, but has ${length}`,
    ])
})

test('only listed categories and conditions are accepted', () => {
  for (const category of categories) assert.deepEqual(wrongIn({ category }), [])
  for (const condition of conditions) assert.deepEqual(wrongIn({ condition }), [])
  for (const wrong of ['', 'For-Sale', 'cars', null, 3]) {
    assert.match(wrongIn({ category: wrong }).join(), /^#\/category must be "for-sale", /)
    assert.match(wrongIn({ condition: wrong }).join(), /^#\/condition must be "new", /)
  }
})

test('an amount is not negative and has at most its currency’s decimals', () => {
  const right: [number, string][] = [
    [0, 'EUR'],
    [0.01, 'EUR'],
    [0.29, 'EUR'],
    [1.1, 'USD'],
    [1_000_000_000_000, 'IDR'],
    [999_999_999_999.99, 'USD'],
    [1800, 'JPY'],
    [1.234, 'KWD'],
    [1.25, 'COP'],
    [1.005, 'IQD'],
  ]
  for (const [amount, currency] of right) assert.deepEqual(priced(amount, currency), [], `${amount} ${currency}`)
  const wrong: [number, string, number][] = [
    [0.001, 'EUR', 2],
    [0.1 + 0.2, 'EUR', 2],
    [1e-9, 'EUR', 2],
    [0.5, 'JPY', 0],
    [1.2345, 'KWD', 3],
  ]
  for (const [amount, currency, decimals] of wrong)
    assert.deepEqual(priced(amount, currency), [`#/price/amount must have at most ${decimals} decimals in ${currency}`])
  assert.deepEqual(priced(-0.01), ['#/price/amount must be at least 0'])
  assert.deepEqual(priced(1e12 + 1), ['#/price/amount must be at most 1000000000000'])
  for (const amount of ['1', null, Number.NaN, JSON.parse('1e999')])
    assert.deepEqual(priced(amount), ['#/price/amount must be a number'])
})

test('a negative zero becomes zero', () => {
  const body = classified.body.parse({ ...fine, price: { amount: -0, currency: 'EUR' } }) as {
    price: { amount: number }
  }
  assert.ok(Object.is(body.price.amount, 0))
})

test('a currency is an ISO 4217 code in capital letters', () => {
  for (const code of ['EUR', 'XCG', 'VES', 'SLE', 'ZWG']) assert.deepEqual(priced(1, code), [])
  for (const code of ['eur', 'HRK', 'SLL', 'ZWL', 'BTC', 'XAU', 'EURO', ''])
    assert.deepEqual(priced(1, code), [
      '#/price/currency must be an ISO 4217 currency code of three capital letters, such as EUR',
    ])
})

test('each currency has the number of decimals in ISO 4217', () => {
  const currencies = Intl.supportedValuesOf('currency').filter(isCurrency)
  assert.equal(currencies.length, 159)
  const others = currencies.filter((code) => decimalsOf(code) !== 2)
  assert.deepEqual(
    others,
    ('BHD BIF CLP DJF GNF IQD ISK JOD JPY KMF KRW KWD LYD OMR PYG RWF TND UGX ' + 'VND VUV XAF XOF XPF').split(' '),
  )
  const shown = (currency: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  assert.ok(
    currencies.every((code) => shown(code) <= decimalsOf(code)),
    'what shops show is always accepted',
  )
})

test('a price is complete or omitted', () => {
  assert.deepEqual(wrongIn({ price: {} }), ['#/price/amount is required', '#/price/currency is required'])
  assert.deepEqual(wrongIn({ price: { amount: 1, currency: 'EUR', per: 'hour' } }), ['#/price/per is not recognized'])
  assert.deepEqual(wrongIn({ price: 10 }), ['#/price must be an object'])
})

test('an ad has a region but no city', () => {
  assert.deepEqual(wrongIn({ location: { country: 'NL', state: 'NL-UT' } }), [])
  assert.deepEqual(wrongIn({ location: { country: 'NL', city: { geonames_id: 2745912, name: 'Utrecht' } } }), [
    '#/location/city is not recognized',
  ])
})

test('an ad is visible for 30 days', () => {
  const body = classified.body.parse(fine)
  assert.deepEqual(classified.visibleUntil(body, new Date('2026-11-15T12:00:00Z')), new Date('2026-12-15T12:00:00Z'))
  assert.equal(classified.priceMicros, 200_000)
})

test('an ad has a facet for each of its facts', () => {
  const body = classified.body.parse({
    ...fine,
    price: { amount: 45.5, currency: 'EUR' },
    condition: 'good',
    topics: ['desks'],
    location: { country: 'NL', state: 'NL-UT' },
  })
  assert.deepEqual(classified.facets(body), {
    topics: ['desks'],
    country: 'NL',
    state: 'NL-UT',
    category: 'for-sale',
    condition: 'good',
    currency: 'EUR',
    price: 45.5,
  })
  assert.deepEqual(classified.facets(classified.body.parse(fine)), { category: 'for-sale' })
})

test('filters parse text', () => {
  const filters = classified.filters
  assert.deepEqual(
    Object.keys(filters),
    'topic country state category condition currency min_price max_price'.split(' '),
  )
  assert.equal(filters['min_price']?.query.parse('45.50'), 45.5)
  assert.equal(filters['category']?.query.parse('jobs'), 'jobs')
  for (const wrong of ['', '-1', '1e3', '1,5', '.5', '5.', '1.0000', '٣', '9'.repeat(14)])
    assert.deepEqual(refusals(filters['max_price']!.query, wrong), [
      '# must be an amount with a decimal point, such as 45.50',
    ])
  assert.match(refusals(filters['category']!.query, 'cars').join(), /^# must be "for-sale"/)
})
