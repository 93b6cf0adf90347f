import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { refusals } from '../../../test/support/http/refusals.ts'
import { event } from './kind.ts'
import { timeZone } from './time.ts'

const fine = {
  title: 'A concert',
  body: 'Songs of the sea.',
  timezone: 'Europe/Berlin',
  starts_at: '2030-06-01T19:00:00+02:00',
  ends_at: '2030-06-01T22:00:00+02:00',
}
const wrongIn = (members: object) => refusals(event.body, { ...fine, ...members })
const lasting = (starts_at: string, ends_at: string, timezone = 'UTC') => wrongIn({ timezone, starts_at, ends_at })

const notDateTime = 'must be an ISO 8601 date and time with seconds and an offset, such as 2030-06-15T18:00:00+01:00'
const notTimeZone = 'must be an IANA time zone in its exact spelling, such as Europe/Lisbon, or UTC'

test('an event has a title, a body, a time zone, a start and an end', () => {
  assert.deepEqual(
    refusals(event.body, {}),
    ['title', 'body', 'timezone', 'starts_at', 'ends_at'].map((member) => `#/${member} is required`),
  )
  assert.deepEqual(wrongIn({}), [])
  for (const length of [9, 5_001])
    assert.deepEqual(wrongIn({ body: 'x'.repeat(length) }), [
      `#/body must have 10 to 5000 characters, but has ${length}`,
    ])
})

test('a time zone is an IANA name in its exact spelling', () => {
  const known = [...Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/')), 'UTC', 'Etc/UTC']
  assert.ok(known.length > 400)
  for (const name of [...known, 'Asia/Kolkata', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
    assert.deepEqual(refusals(timeZone, name), [], name)
  const unknown = [
    '',
    'utc',
    'GMT',
    'EST',
    'CET',
    '+01:00',
    '-05:00',
    'europe/berlin',
    'EUROPE/BERLIN',
    'Europe/Berlin ',
  ]
  const tricks = [
    'Mars/Base',
    'SystemV/AST4',
    'posix/UTC',
    'Etc/Unknown',
    '2030-01-01T00:00Z[Europe/Berlin]',
    '/',
    'a/b',
  ]
  for (const name of [...unknown, ...tricks]) assert.deepEqual(refusals(timeZone, name), [`# ${notTimeZone}`], name)
  assert.deepEqual(event.body.parse({ ...fine, timezone: 'Europe/Berlin' }), { ...fine, topics: [] })
})

test('a time is an existing date and time of day with an offset', () => {
  const right = ['2028-02-29T00:00:00Z', '2030-01-01T23:59:59+00:00', '2030-01-01T00:00:00.123456789Z']
  for (const starts_at of right)
    assert.deepEqual(refusals(event.body, { ...fine, timezone: 'UTC', starts_at, ends_at: starts_at }), [
      '#/ends_at must be after starts_at',
    ])
  const wrong = [
    '2026-02-30T12:00:00Z',
    '2027-02-29T12:00:00Z',
    '2030-13-01T12:00:00Z',
    '2030-00-01T12:00:00Z',
    '2030-06-31T12:00:00Z',
    '2030-06-01T24:00:00Z',
    '2030-06-01T12:60:00Z',
    '2030-06-01T23:59:60Z',
    '2030-06-01T12:00:00',
    '2030-06-01T12:00Z',
    '2030-06-01',
    '2030-06-01 12:00:00Z',
    '2030-06-01t12:00:00z',
    '2030-06-01T12:00:00-00:00',
    '2030-06-01T12:00:00+24:00',
    '2030-06-01T12:00:00+0200',
    '+002030-06-01T12:00:00Z',
    '20300601T120000Z',
    `2030-06-01T12:00:00.${'0'.repeat(200_000)}Z`,
    ' 2030-06-01T12:00:00Z',
    '',
  ]
  for (const starts_at of wrong)
    assert.deepEqual(wrongIn({ starts_at }), [`#/starts_at ${notDateTime}`], starts_at.slice(0, 40))
  assert.deepEqual(wrongIn({ ends_at: 1_900_000_000 }), ['#/ends_at must be a string'])
})

test('the offset must match the time zone at that time', () => {
  assert.deepEqual(wrongIn({ starts_at: '2030-06-01T19:00:00+01:00' }), [
    '#/starts_at must have the offset that Europe/Berlin has at that time: +02:00',
  ])
  assert.deepEqual(lasting('2030-01-19T10:00:00+05:30', '2030-01-19T12:00:00+05:30', 'Asia/Kolkata'), [])
  assert.deepEqual(lasting('2030-01-19T10:00:00+05:45', '2030-01-19T12:00:00+05:45', 'Asia/Kathmandu'), [])
  assert.deepEqual(lasting('2030-01-19T10:00:00-03:00', '2030-01-19T12:00:00-03:00', 'America/Sao_Paulo'), [])
  assert.deepEqual(lasting('2030-06-01T19:00:00-07:00', '2030-12-01T19:00:00-08:00', 'America/Los_Angeles'), [])
  assert.deepEqual(lasting('2030-06-01T19:00:00-07:00', '2030-12-01T19:00:00-07:00', 'America/Los_Angeles'), [
    '#/ends_at must have the offset that America/Los_Angeles has at that time: -08:00',
  ])
})

test('Z means +00:00 and must match like any other offset', () => {
  assert.deepEqual(lasting('2030-01-19T10:00:00Z', '2030-01-19T12:00:00+00:00', 'Europe/London'), [])
  assert.deepEqual(lasting('2030-07-19T10:00:00Z', '2030-07-19T12:00:00+01:00', 'Europe/London'), [
    '#/starts_at must have the offset that Europe/London has at that time: +01:00',
  ])
})

test('a time that clocks skip is invalid with any offset', () => {
  const end = '2030-03-31T12:00:00+02:00'
  assert.deepEqual(lasting('2030-03-31T01:59:59+01:00', end, 'Europe/Berlin'), [])
  assert.deepEqual(lasting('2030-03-31T03:00:00+02:00', end, 'Europe/Berlin'), [])
  for (const offset of ['+01:00', '+02:00', 'Z'])
    for (const time of ['02:00:00', '02:30:00', '02:59:59.999'])
      assert.deepEqual(lasting(`2030-03-31T${time}${offset}`, end, 'Europe/Berlin'), [
        '#/starts_at does not exist in Europe/Berlin, because the clocks go forward then; choose another time',
      ])
})

test('when clocks go back both offsets are valid, and instants determine the order', () => {
  const end = '2030-10-27T12:00:00+01:00'
  for (const offset of ['+01:00', '+02:00'])
    for (const time of ['02:00:00', '02:30:00', '02:59:59'])
      assert.deepEqual(lasting(`2030-10-27T${time}${offset}`, end, 'Europe/Berlin'), [])
  assert.deepEqual(lasting('2030-10-27T02:30:00Z', end, 'Europe/Berlin'), [
    '#/starts_at must have the offset that Europe/Berlin has at that time: +02:00 or +01:00',
  ])
  assert.deepEqual(lasting('2030-10-27T01:59:59+01:00', end, 'Europe/Berlin'), [
    '#/starts_at must have the offset that Europe/Berlin has at that time: +02:00',
  ])
  assert.deepEqual(lasting('2030-10-27T02:30:00+02:00', '2030-10-27T02:00:00+01:00', 'Europe/Berlin'), [])
  assert.deepEqual(lasting('2030-10-27T02:00:00+01:00', '2030-10-27T02:30:00+02:00', 'Europe/Berlin'), [
    '#/ends_at must be after starts_at',
  ])
})

test('a zone’s offset at an instant is always accepted, and one hour more is not', () => {
  const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'UTC')
  const instants = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2040, 0) })
  fc.assert(
    fc.property(zones, instants, (timezone, seconds) => {
      const at = Temporal.Instant.fromEpochMilliseconds(seconds).toZonedDateTimeISO(timezone).round('second')
      const [starts_at, ends_at] = [at, at.add({ days: 1 })].map((one) => one.toString({ timeZoneName: 'never' }))
      assert.deepEqual(wrongIn({ timezone, starts_at, ends_at }), [])
      const label = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' })
      const part = label.formatToParts(at.epochMilliseconds).find(({ type }) => type === 'timeZoneName')
      assert.equal(part?.value.replace(/^GMT$/, 'GMT+00:00'), `GMT${at.offset}`, 'pages show the same')
      const wrong = `${at.toPlainDateTime()}+15:00`
      assert.match(wrongIn({ timezone, starts_at: wrong, ends_at }).join(), /^#\/starts_at (must|is a time)/)
    }),
  )
})

test('an event ends after it starts, at most a year (366 days) later', () => {
  assert.deepEqual(lasting('2030-01-01T10:00:00Z', '2030-01-01T10:00:00.001Z'), [])
  assert.deepEqual(lasting('2030-01-01T10:00:00Z', '2030-01-01T10:00:00Z'), ['#/ends_at must be after starts_at'])
  assert.deepEqual(lasting('2030-01-01T10:00:00Z', '2029-01-01T10:00:00Z'), ['#/ends_at must be after starts_at'])
  assert.deepEqual(lasting('2028-02-01T10:00:00Z', '2029-02-01T10:00:00Z'), [])
  assert.deepEqual(lasting('2030-01-01T10:00:00Z', '2031-01-02T10:00:00Z'), [])
  assert.deepEqual(lasting('2030-01-01T10:00:00Z', '2031-01-02T10:00:01Z'), [
    '#/ends_at must be at most a year (366 days) after starts_at',
  ])
})

test('all errors in the times are reported together with other errors', () => {
  assert.deepEqual(
    wrongIn({ title: 'x', starts_at: '2030-06-01T19:00:00Z', ends_at: '2030-05-01T19:00:00Z', topics: 1 }),
    [
      '#/title must have 3 to 120 characters, but has 1',
      '#/topics must be an array',
      '#/starts_at must have the offset that Europe/Berlin has at that time: +02:00',
      '#/ends_at must have the offset that Europe/Berlin has at that time: +02:00',
      '#/ends_at must be after starts_at',
    ],
  )
  assert.deepEqual(wrongIn({ timezone: 'Berlin', ends_at: fine.starts_at }), [
    `#/timezone ${notTimeZone}`,
    '#/ends_at must be after starts_at',
  ])
})

test('only the time-dependent check rejects an event that has ended', () => {
  const body = event.body.parse(fine)
  const end = Date.parse(fine.ends_at)
  assert.deepEqual(event.fieldErrorsAt(body, new Date(end - 1)), [])
  for (const at of [new Date(end), new Date(end + 1)])
    assert.deepEqual(event.fieldErrorsAt(body, at), [{ pointer: '#/ends_at', detail: 'must be in the future' }])
  assert.deepEqual(lasting('2020-01-01T10:00:00Z', '2020-01-01T12:00:00Z'), [], 'a stored body stays valid')
})

test('an event is visible until it ends and found by its start', () => {
  const body = event.body.parse({ ...fine, location: { country: 'DE', state: 'DE-BE' }, topics: ['music'] })
  assert.deepEqual(event.visibleUntil(body, new Date('2026-11-15')), new Date('2030-06-01T20:00:00Z'))
  assert.deepEqual(event.facets(body), {
    topics: ['music'],
    country: 'DE',
    state: 'DE-BE',
    starts_at: Date.UTC(2030, 5, 1, 17),
  })
  assert.deepEqual(Object.keys(event.filters), ['topic', 'country', 'state', 'starts_after', 'starts_before'])
  const { starts_after, starts_before } = event.filters
  assert.equal(starts_after?.query.parse('2030-06-01T19:00:00+02:00'), Date.UTC(2030, 5, 1, 17))
  assert.deepEqual(refusals(starts_before!.query, 'tomorrow'), [`# ${notDateTime}`])
  assert.equal(event.priceMicros, 100_000)
})
