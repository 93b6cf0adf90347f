// Post bodies: spec "Post submission bodies"; decisions 5 and 6 (intake). Refusals and boundaries are tried with dry_run=true,
// which gives exactly the error of the real call (decisions 6) and costs nothing; real submissions are in the other sections.
import { freshAccount, marker } from '../accounts.ts'
import {
  equal,
  excludes,
  hasStatus,
  holds,
  idPattern,
  isInvalid,
  isOkJson,
  isProblem,
  isTime,
  match,
  pointersOf,
  sameJson,
} from '../assert.ts'
import { type Json, section, show } from '../checks.ts'
import { berlin, bodies, dryRun, instantIn, publicPost, publish, published, rich, timeIn } from '../fixtures.ts'
import { uuid7Time } from '../formats.ts'
import { prose, words } from '../harmless.ts'
import { at } from '../http.ts'
import { kinds } from '../targets.ts'

const test = section('posts')

const accepted = (id, clause, kind, extra) =>
  test(`${id}: ${clause}`, async () => {
    const account = await rich()
    const bodiesToTry = typeof extra === 'function' ? extra() : extra
    for (const one of [bodiesToTry].flat()) {
      const reply = await dryRun(kind, bodies[kind](one), account)
      if (reply.status !== 200) holds(false, `${kind} with ${show(one, 120)}`, '200', reply.toString())
    }
  })
const refused = (id, clause, kind, pointer, extra) =>
  test(`${id}: ${clause}`, async () => {
    const account = await rich()
    const body = bodies[kind](typeof extra === 'function' ? extra() : extra)
    isInvalid(await dryRun(kind, body, account), pointer)
  })

// Every kind ------------------------------------------------------------------------------------
for (const kind of kinds) {
  test(`${kind}-submitted: spec Endpoints: POST /v1/posts on the ${kind} site answers 202 with id, status queued and moderation`, async () => {
    const post = await published[kind]()
    const body = isOkJson(post.submitted, 202)
    match(body.id, idPattern('post'))
    holds(Math.abs(Date.now() - uuid7Time(body.id, 'id')) < 3_600_000, 'time inside the id', 'now', body.id)
    equal(body.status, 'queued')
    holds(typeof body.moderation === 'object' && body.moderation !== null, 'moderation', 'an object', body.moderation)
    match(post.submitted.headers['retry-after'], /^\d+$/)
  })
  test(`${kind}-kind: decisions 2: POST /v1/posts makes the kind of the site that is called (${kind})`, async () => {
    const post = await published[kind]()
    equal(post.record.kind, kind, 'kind of the status record')
    equal((await publicPost(kind, post.id)).kind, kind, 'kind of the public post')
  })
  test(`${kind}-content-kept: decisions 6: everything the user wrote stands inside content (${kind})`, async () => {
    const post = await published[kind]()
    const { content } = await publicPost(kind, post.id)
    for (const [member, value] of Object.entries<Json>(post.body)) {
      // Times of an event may be written back in another form of the same instant.
      if (/_at$/.test(member)) equal(Date.parse(content[member]), Date.parse(value), `content.${member}`)
      else sameJson(content[member], value, `content.${member}`)
    }
  })
  refused(
    `${kind}-unknown-member`,
    'decisions, first paragraph: an unknown member is refused with 422 that points at it',
    kind,
    '/colour',
    { colour: 'red' },
  )
  accepted(`${kind}-topics-0-to-5`, 'decisions 5: topics are optional, 0–5', kind, [
    { topics: [] },
    { topics: ['tea'] },
    { topics: ['tea', 'harbour-news', 'a1', 'b-2-c', 'x'.repeat(40)] },
  ])
  refused(`${kind}-topics-6`, 'decisions 5: six topics are refused', kind, '/topics', {
    topics: ['t1', 't2', 't3', 't4', 't5', 't6'],
  })
  refused(`${kind}-topics-string`, 'spec Resources: topics is an array', kind, '/topics', { topics: 'tea' })
}
const topicRules = [
  ['topic-uppercase', 'Tea'],
  ['topic-one-letter', 'a'],
  ['topic-41', 'x'.repeat(41)],
  ['topic-space', 'green tea'],
  ['topic-underscore', 'green_tea'],
  ['topic-leading-hyphen', '-tea'],
  ['topic-trailing-hyphen', 'tea-'],
  ['topic-double-hyphen', 'green--tea'],
  ['topic-accent', 'thé'],
  ['topic-newline', 'tea\n'],
  ['topic-slash', 'a/../b'],
  ['topic-empty', ''],
  ['topic-number', 12],
  ['topic-null', null],
]
for (const [id, topic] of topicRules)
  refused(
    id,
    `decisions 5: each topic is ^[a-z0-9]+(-[a-z0-9]+)*$, 2–40 (${JSON.stringify(topic).slice(0, 20)})`,
    'message',
    '/topics',
    { topics: ['news', topic] },
  )
refused('topics-twice', 'decisions 5: topics are unique', 'message', '/topics', { topics: ['tea', 'tea'] })

// message ---------------------------------------------------------------------------------------
refused('message-text-required', 'decisions 5: message.text is required', 'message', '/text', { text: undefined })
refused('message-text-empty', 'decisions 5: message.text has at least 1 character', 'message', '/text', { text: '' })
refused('message-text-501', 'decisions 5: message.text has at most 500 characters', 'message', '/text', {
  text: prose(501),
})
accepted('message-text-500', 'decisions 5: message.text of 500 characters', 'message', { text: prose(500) })
const trees = ' 🌳 🌿 🍂 🌾 🌲'
accepted('message-text-code-points', 'decisions 5: lengths count code points: 500 of which five are emoji', 'message', {
  text: prose(490) + trees,
})
refused(
  'message-text-code-points-501',
  'decisions 5: lengths count code points: 501 of which five are emoji',
  'message',
  '/text',
  { text: prose(491) + trees },
)
const decomposed = (length) => prose(length).replaceAll(/([ae])/g, '$1\u0301')
accepted(
  'message-text-nfc',
  'decisions 5: lengths count after NFC: 500 characters of which many arrive decomposed',
  'message',
  { text: decomposed(500) },
)
refused(
  'message-text-nfc-501',
  'decisions 5: lengths count after NFC: 501 characters of which many arrive decomposed',
  'message',
  '/text',
  { text: decomposed(501) },
)
for (const [id, text] of [
  ['number', 12],
  ['null', null],
  ['array', ['The ferry leaves early.']],
  ['object', { a: 1 }],
  ['boolean', true],
])
  refused(`message-text-${id}`, `spec Resources: message.text is a string (${id})`, 'message', '/text', { text })
refused('message-title', 'spec Resources: a message has no title', 'message', '/title', { title: 'A title' })
test('message-minimal: decisions 5: a message needs its text only', async () => {
  const account = await rich()
  hasStatus(await dryRun('message', { text: prose(80) }, account), 200)
})

// Characters that hide things (decisions 6) -----------------------------------------------------
const hidden = [
  ['bidi-override', 'U+202E', '\u202E'],
  ['bidi-isolate', 'U+2066', '\u2066'],
  ['bidi-mark', 'U+200F', '\u200F'],
  ['zero-width-space', 'U+200B', '\u200B'],
  ['word-joiner', 'U+2060', '\u2060'],
  ['byte-order-mark', 'U+FEFF', '\uFEFF'],
  ['zero-width-joiner-between-letters', 'U+200D', '\u200D'],
  ['tag-characters', 'U+E0041', '\u{E0041}\u{E0042}'],
  ['c0-bell', 'U+0007', '\u0007'],
  ['c0-escape', 'U+001B', '\u001B'],
  ['c0-null', 'U+0000', '\u0000'],
  ['c1-nel', 'U+0085', '\u0085'],
  ['c1-csi', 'U+009B', '\u009B'],
]
for (const [id, name, character] of hidden)
  test(`hidden-${id}: decisions 6: ${name} is refused with 422 and its position`, async () => {
    const account = await rich()
    const problem = isInvalid(
      await dryRun(
        'message',
        { text: `The ferry le${character}aves early today, ten minutes before the usual time.` },
        account,
      ),
      '/text',
    )
    const entry = problem.errors[pointersOf(problem).indexOf('/text')]
    // Where the position stands is open: a member of its own or a number in the sentence. It is 12 (from 0) or 13 (from 1).
    holds(
      /\b1[23]\b/.test(JSON.stringify({ ...entry, pointer: undefined })),
      'errors[] entry',
      'the position of the character, 12 or 13',
      entry,
    )
  })
for (const kind of ['story', 'classified', 'event'])
  refused(
    `hidden-in-title-${kind}`,
    `decisions 6: hidden characters are refused in a title too (${kind})`,
    kind,
    '/title',
    { title: 'Evening walk \u202E along the canal' },
  )
accepted('newline-and-tab', 'decisions 6: newline and tab are allowed in text', 'message', {
  text: 'Opening hours of the library:\n\tMonday to Friday from ten to nine\n\tSaturday from ten to four',
})
accepted('emoji-joined', 'decisions 6: a joiner inside a valid emoji sequence is allowed', 'message', {
  text: 'The workshop on Thursday is led by our two mechanics 👩‍🔧 and 👨‍👩‍👧 families are welcome too 🏳️‍🌈.',
})
accepted('emoji-tag-flag', 'decisions 6: tag characters inside a valid emoji flag are allowed', 'message', {
  text: 'The choir from Scotland \u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} sings in the old church on Sunday evening.',
})
accepted('script-joiner', 'decisions 6: a joiner that a script needs is allowed (Persian)', 'message', {
  text: 'کتابخانه از دوشنبه تا ساعت نه شب باز می‌ماند و همه می‌توانند بیایند.',
})

test('line-ends: decisions 14: CR and CRLF become LF', async () => {
  const account = await freshAccount({ micros: 20_000 })
  const [one, two, three] = [prose(60), prose(60), prose(60)]
  const post = await publish('message', { text: `${one}\r\n${two}\r${three}` }, account)
  equal((await publicPost('message', post.id)).content.text, `${one}\n${two}\n${three}`)
})

// Location --------------------------------------------------------------------------------------
accepted('location-country', 'decisions 5: a location may be a country alone', 'message', [
  { location: { country: 'DE' } },
  { location: { country: 'JP' } },
])
accepted('location-state', 'decisions 5: state is an ISO 3166-2 code of that country', 'message', [
  { location: { country: 'US', state: 'US-CA' } },
  { location: { country: 'GB', state: 'GB-SCT' } },
  { location: { country: 'DE', state: 'DE-BE' } },
])
accepted('location-city', 'spec Resources: city is an object with geonames_id and name', 'message', [
  { location: berlin },
  { location: { country: 'DE', city: berlin.city } },
])
const places = [
  ['location-empty', '/location', {}, 'country is required when location is given'],
  ['location-state-only', '/location', { state: 'DE-BE' }, 'country is required when location is given'],
  ['location-country-lowercase', '/location/country', { country: 'de' }, 'country is ISO 3166-1 alpha-2'],
  ['location-country-alpha3', '/location/country', { country: 'DEU' }, 'country is ISO 3166-1 alpha-2'],
  ['location-country-unknown', '/location/country', { country: 'ZZ' }, 'country is ISO 3166-1 alpha-2'],
  ['location-country-uk', '/location/country', { country: 'UK' }, 'UK is reserved, not a country code (GB is)'],
  ['location-state-unknown', '/location/state', { country: 'DE', state: 'DE-ZZ' }, 'state is an ISO 3166-2 code'],
  [
    'location-state-of-another',
    '/location/state',
    { country: 'DE', state: 'US-CA' },
    'state is a code of that country',
  ],
  [
    'location-state-bare',
    '/location/state',
    { country: 'DE', state: 'BE' },
    'state has the form <country>-<subdivision>',
  ],
  [
    'location-city-unknown',
    '/location/city',
    { country: 'DE', city: { geonames_id: 999_999_999, name: 'Nowhere' } },
    'geonames_id exists',
  ],
  ['location-city-elsewhere', '/location/city', { country: 'FR', city: berlin.city }, 'the city lies in that country'],
  [
    'location-city-wrong-name',
    '/location/city',
    { country: 'DE', city: { geonames_id: 2950159, name: 'Paris' } },
    "name is one of the city's names",
  ],
  ['location-city-no-name', '/location/city', { country: 'DE', city: { geonames_id: 2950159 } }, 'city has a name'],
  ['location-city-no-id', '/location', { country: 'DE', city: { name: 'Berlin' } }, 'city has a geonames_id'],
  [
    'location-city-id-string',
    '/location/city/geonames_id',
    { country: 'DE', city: { geonames_id: '2950159', name: 'Berlin' } },
    'geonames_id is an integer',
  ],
  [
    'location-city-id-fraction',
    '/location/city/geonames_id',
    { country: 'DE', city: { geonames_id: 2950159.5, name: 'Berlin' } },
    'geonames_id is an integer',
  ],
  ['location-city-text', '/location', { country: 'DE', city: 'Berlin' }, 'city is an object'],
  [
    'location-city-unknown-member',
    '/location/city/zip',
    { country: 'DE', city: { ...berlin.city, zip: '10115' } },
    'an unknown member is refused',
  ],
  [
    'location-unknown-member',
    '/location/street',
    { country: 'DE', street: 'Mill Street' },
    'an unknown member is refused',
  ],
  ['location-text', '/location', 'Berlin', 'location is an object'],
]
for (const [id, pointer, location, rule] of places)
  refused(id, `decisions 5: ${rule}`, 'message', pointer, { location })
test('location-city-names: decisions 5: the name of a city may be any of its names', async () => {
  const account = await rich()
  // Which names the service knows depends on its data; at least one of GeoNames' own two must be among them.
  const replies = []
  for (const name of ['Munich', 'München'])
    replies.push(
      await dryRun(
        'message',
        bodies.message({ location: { country: 'DE', city: { geonames_id: 2867714, name } } }),
        account,
      ),
    )
  holds(
    replies.some((reply) => reply.status === 200),
    'Munich or München for geonames_id 2867714',
    '200 for at least one',
    replies.map(String).join(' | '),
  )
})
test('location-kept: decisions 5: the canonical name of the city is stored', async () => {
  const post = await published.message()
  sameJson((await publicPost('message', post.id)).content.location, berlin)
})
for (const kind of ['classified', 'event']) {
  accepted(`${kind}-location`, `spec Resources: ${kind} has location {country, state}`, kind, [
    { location: { country: 'DE' } },
    { location: { country: 'DE', state: 'DE-BE' } },
  ])
  refused(`${kind}-location-city`, `spec Resources: the location of ${kind} has no city`, kind, '/location/city', {
    location: berlin,
  })
}
refused('story-location', 'decisions 14: a story has no location', 'story', '/location', {
  location: { country: 'DE' },
})

// Titles and bodies -----------------------------------------------------------------------------
for (const kind of ['story', 'classified', 'event']) {
  refused(`${kind}-title-required`, `decisions 5: ${kind}.title is required`, kind, '/title', { title: undefined })
  refused(`${kind}-title-2`, `decisions 5: ${kind}.title has at least 3 characters`, kind, '/title', { title: 'ab' })
  refused(`${kind}-title-121`, `decisions 5: ${kind}.title has at most 120 characters`, kind, '/title', {
    title: prose(121),
  })
  refused(`${kind}-title-lines`, `decisions 5: ${kind}.title is one line`, kind, '/title', {
    title: 'A walk\nalong the canal',
  })
  accepted(`${kind}-title-3-and-120`, `decisions 5: ${kind}.title of 3 and of 120 characters`, kind, [
    { title: 'Tea' },
    { title: prose(120) },
  ])
  refused(`${kind}-body-required`, `decisions 5: ${kind}.body is required`, kind, '/body', { body: undefined })
  refused(`${kind}-text`, `spec Resources: ${kind} has a body, not a text`, kind, '/text', { text: 'A text' })
}
for (const kind of ['classified', 'event']) {
  refused(`${kind}-body-9`, `decisions 5: ${kind}.body has at least 10 characters`, kind, '/body', { body: prose(9) })
  refused(`${kind}-body-5001`, `decisions 5: ${kind}.body has at most 5,000 characters`, kind, '/body', {
    body: prose(5001),
  })
  accepted(`${kind}-body-10-and-5000`, `decisions 5: ${kind}.body of 10 and of 5,000 characters`, kind, [
    { body: prose(10) },
    { body: prose(5000) },
  ])
}

// story -----------------------------------------------------------------------------------------
refused('story-149-words', 'spec Resources: a story has at least 150 words', 'story', '/body', () => ({
  body: words(149),
}))
accepted('story-150-words', 'spec Resources: a story of 150 words', 'story', () => ({ body: words(150) }))
accepted('story-2500-words', 'spec Resources: a story of 2,500 words', 'story', () => ({ body: words(2500) }))
refused('story-2501-words', 'spec Resources: a story has at most 2,500 words', 'story', '/body', () => ({
  body: words(2501),
}))
refused(
  'story-dashes-are-no-words',
  'decisions 5: words are UAX #29 words: a dash between spaces is none',
  'story',
  '/body',
  () => ({ body: words(149).replace('. ', ' — — — . ') }),
)
accepted('story-hyphen-joins-two-words', 'decisions 5: words are UAX #29 words: "well-known" is two', 'story', () => ({
  body: words(148).replace(/\.$/, ' well-known.'),
}))
accepted('story-paragraphs', 'spec Resources: blank lines separate paragraphs', 'story', () => ({
  body: words(180).replaceAll('. ', '.\n\n'),
}))
refused('story-category', 'spec Resources: a story has no category', 'story', '/category', { category: 'other' })

// classified ------------------------------------------------------------------------------------
refused('classified-category-required', 'decisions 5: classified.category is required', 'classified', '/category', {
  category: undefined,
})
refused('classified-category-unknown', 'decisions 5: classified.category is one of eleven', 'classified', '/category', {
  category: 'weapons',
})
accepted(
  'classified-categories',
  'decisions 5: every category is accepted',
  'classified',
  'for-sale wanted free services jobs housing vehicles software data community other'
    .split(' ')
    .map((category) => ({ category })),
)
accepted(
  'classified-conditions',
  'decisions 5: every condition is accepted',
  'classified',
  ['new', 'like-new', 'good', 'fair', 'for-parts', 'not-applicable'].map((condition) => ({ condition })),
)
refused('classified-condition-unknown', 'decisions 5: classified.condition is one of six', 'classified', '/condition', {
  condition: 'broken',
})
const price = (amount, currency = 'USD') => ({ price: { amount, currency } })
accepted('classified-prices', "decisions 5: amounts of 0 and more with at most the currency's decimals", 'classified', [
  price(0),
  price(10),
  price(10.5),
  price(10.55),
  price(1500, 'JPY'),
  price(1.234, 'KWD'),
  price(99_999.99, 'EUR'),
])
const prices = [
  ['price-negative', '/price', { amount: -1, currency: 'USD' }, 'the amount is 0 or more'],
  ['price-three-decimals', '/price', { amount: 10.555, currency: 'USD' }, 'US dollars have two decimals'],
  ['price-yen-decimals', '/price', { amount: 10.5, currency: 'JPY' }, 'yen have no decimals'],
  ['price-dinar-decimals', '/price', { amount: 1.2345, currency: 'KWD' }, 'Kuwaiti dinars have three decimals'],
  ['price-amount-string', '/price/amount', { amount: '10', currency: 'USD' }, 'the amount is a number'],
  ['price-no-amount', '/price', { currency: 'USD' }, 'a price has an amount'],
  ['price-no-currency', '/price', { amount: 10 }, 'a price has a currency'],
  ['price-currency-unknown', '/price/currency', { amount: 10, currency: 'ZZZ' }, 'the currency is ISO 4217'],
  ['price-currency-lowercase', '/price/currency', { amount: 10, currency: 'usd' }, 'the currency is ISO 4217'],
  ['price-unknown-member', '/price/tax', { amount: 10, currency: 'USD', tax: 1 }, 'an unknown member is refused'],
  ['price-number', '/price', 10, 'a price is an object'],
]
for (const [id, pointer, value, rule] of prices)
  refused(`classified-${id}`, `decisions 5: ${rule}`, 'classified', pointer, { price: value })
test('classified-minimal: decisions 5: an ad needs title, body and category only', async () => {
  const account = await rich()
  hasStatus(await dryRun('classified', { title: 'Oak bookcase', body: prose(60), category: 'free' }, account), 200)
})
test('classified-expires: decisions 5: classifieds expire 30 days after publication (expires_at in the public post)', async () => {
  const post = await published.classified()
  const ad = await publicPost('classified', post.id)
  isTime(ad.expires_at)
  equal(Date.parse(ad.expires_at) - Date.parse(ad.published_at), 30 * 86_400_000)
})

// event -----------------------------------------------------------------------------------------
const zone = 'Europe/Berlin'
for (const member of ['timezone', 'starts_at', 'ends_at'])
  refused(`event-${member}-required`, `decisions 5: event.${member} is required`, 'event', `/${member}`, {
    [member]: undefined,
  })
const winter = new Date().getUTCFullYear() + 1
// Second Sunday of March and first Sunday of November: when the clocks of New York change.
const sunday = (year, month, nth) => {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
  return String(1 + ((7 - first) % 7) + (nth - 1) * 7).padStart(2, '0')
}
const times = (timezone, starts_at, ends_at) => ({ timezone, starts_at, ends_at })
accepted('event-offsets', 'decisions 5: the offset that is right for the zone at that instant', 'event', () => [
  times('America/New_York', `${winter}-01-15T18:00:00-05:00`, `${winter}-01-15T20:00:00-05:00`),
  times('America/New_York', `${winter}-07-15T18:00:00-04:00`, `${winter}-07-15T20:00:00-04:00`),
  times('Asia/Kolkata', `${winter}-01-15T18:00:00+05:30`, `${winter}-01-15T20:00:00+05:30`),
  times('UTC', `${winter}-01-15T18:00:00+00:00`, `${winter}-01-15T20:00:00+00:00`),
  times('Pacific/Auckland', `${winter}-01-15T18:00:00+13:00`, `${winter}-01-15T20:00:00+13:00`),
])
accepted('event-z', 'decisions 14: Z counts as the offset +00:00 (UTC, and London in winter)', 'event', () => [
  times('UTC', `${winter}-01-15T18:00:00Z`, `${winter}-01-15T20:00:00Z`),
  times('Europe/London', `${winter}-01-15T18:00:00Z`, `${winter}-01-15T20:00:00Z`),
])
accepted(
  'event-fractional-seconds',
  'spec Resources: ISO 8601 date-time with offset, with fractions of a second',
  'event',
  () => times('Asia/Kolkata', `${winter}-01-15T18:00:00.000+05:30`, `${winter}-01-15T20:00:00.500+05:30`),
)
accepted(
  'event-clock-change-overlap',
  'decisions 5: both offsets are right in the hour that comes twice',
  'event',
  () => {
    const day = `${winter}-11-${sunday(winter, 11, 1)}`
    return [
      times('America/New_York', `${day}T01:15:00-04:00`, `${day}T01:30:00-05:00`),
      times('America/New_York', `${day}T01:10:00-05:00`, `${day}T01:45:00-05:00`),
    ]
  },
)
// A fault that joins two members points at the later one (decisions 10).
const wrongTimes = [
  ['zone-unknown', '/timezone', () => ({ timezone: 'Mars/Phobos' }), 'timezone is an IANA name'],
  ['zone-offset', '/timezone', () => ({ timezone: '+01:00' }), 'timezone is a name, not an offset'],
  ['zone-empty', '/timezone', () => ({ timezone: '' }), 'timezone is an IANA name'],
  ['zone-number', '/timezone', () => ({ timezone: 1 }), 'timezone is a string'],
  [
    'offset-wrong',
    '/starts_at',
    () => times(zone, `${winter}-01-15T18:00:00+05:00`, `${winter}-01-16T20:00:00+01:00`),
    'the offset is right for the zone',
  ],
  [
    'offset-of-summer',
    '/starts_at',
    () => times('America/New_York', `${winter}-01-15T18:00:00-04:00`, `${winter}-01-15T20:00:00-05:00`),
    'the offset is right at that instant',
  ],
  [
    'offset-z',
    '/starts_at',
    () => times(zone, `${winter}-01-15T18:00:00Z`, `${winter}-01-16T20:00:00+01:00`),
    'Z must be right for the zone like any other offset (decisions 14)',
  ],
  [
    'offset-wrong-end',
    '/ends_at',
    () => times('America/New_York', `${winter}-07-15T18:00:00-04:00`, `${winter}-07-15T20:00:00-05:00`),
    'the offset of the end is right too',
  ],
  [
    'clock-change-gap',
    '/starts_at',
    () =>
      times(
        'America/New_York',
        `${winter}-03-${sunday(winter, 3, 2)}T02:30:00-05:00`,
        `${winter}-03-${sunday(winter, 3, 2)}T05:00:00-04:00`,
      ),
    'a time in the hour that does not exist is refused',
  ],
  ['no-offset', '/starts_at', () => ({ starts_at: `${winter}-01-15T18:00:00` }), 'a date-time has its offset'],
  ['date-only', '/starts_at', () => ({ starts_at: `${winter}-01-15` }), 'a date-time has a time'],
  ['impossible-date', '/starts_at', () => ({ starts_at: `${winter}-02-30T18:00:00+01:00` }), 'a date that exists'],
  ['words', '/starts_at', () => ({ starts_at: 'tomorrow at six' }), 'ISO 8601'],
  ['unix-time', '/starts_at', () => ({ starts_at: 1_800_000_000 }), 'a string'],
  [
    'ends-before',
    '/ends_at',
    () => times(zone, timeIn(zone, 20, 18), timeIn(zone, 20, 17)),
    'ends_at is after starts_at',
  ],
  [
    'ends-at-start',
    '/ends_at',
    () => times(zone, timeIn(zone, 20, 18), timeIn(zone, 20, 18)),
    'ends_at is after starts_at',
  ],
  [
    'ends-too-late',
    '/ends_at',
    () => times('UTC', instantIn('UTC', Date.now() + 86_400_000), instantIn('UTC', Date.now() + 369 * 86_400_000)),
    'ends_at is at most 1 year later',
  ],
  [
    'ended',
    '/ends_at',
    () => times('UTC', instantIn('UTC', Date.now() - 7_200_000), instantIn('UTC', Date.now() - 3_600_000)),
    'ends_at is in the future',
  ],
]
for (const [id, pointer, extra, rule] of wrongTimes)
  refused(`event-${id}`, `decisions 5: ${rule}`, 'event', pointer, extra)
accepted('event-almost-a-year', 'decisions 5: an event may last up to 1 year', 'event', () =>
  times('UTC', instantIn('UTC', Date.now() + 86_400_000), instantIn('UTC', Date.now() + 365 * 86_400_000)),
)
test('event-order-by-instant: style: times are compared as instants, not as text', async () => {
  const account = await rich()
  // In the hour that comes twice a later instant can be an earlier text.
  const day = `${winter}-11-${sunday(winter, 11, 1)}`
  hasStatus(
    await dryRun(
      'event',
      bodies.event(times('America/New_York', `${day}T01:50:00-04:00`, `${day}T01:10:00-05:00`)),
      account,
    ),
    200,
  )
  isInvalid(
    await dryRun(
      'event',
      bodies.event(times('America/New_York', `${day}T01:10:00-05:00`, `${day}T01:50:00-04:00`)),
      account,
    ),
    '/ends_at',
  )
})

// Wrong site ------------------------------------------------------------------------------------
test('body-of-another-kind: spec What the service does: the shape of a body depends on the site; another kind is refused', async () => {
  const account = await rich()
  for (const [site, kind] of [
    ['message', 'story'],
    ['story', 'message'],
    ['classified', 'event'],
    ['event', 'classified'],
  ])
    isProblem(await dryRun(site, bodies[kind](), account), 422, 'validation_failed')
})

// Keys and hostile bodies -----------------------------------------------------------------------
const unknownPost = 'post_01hzzzzzzzzzzzzzzzzzzzzzzz'
for (const [method, path, body, source] of [
  ['POST', '/v1/posts', { text: prose(80) }, 'spec Endpoints'],
  ['PATCH', `/v1/posts/${unknownPost}`, { text: prose(80) }, 'decisions 6'],
  ['DELETE', `/v1/posts/${unknownPost}`, undefined, 'spec Endpoints'],
  ['POST', `/v1/posts/${unknownPost}/appeal`, { message: 'Please look again.' }, 'decisions 6'],
] as Json[][])
  test(`401-${method.toLowerCase()}${path.replace(unknownPost, 'id').replaceAll('/', '-')}: ${source}: ${method} ${path.replace(unknownPost, '{id}')} requires a key: 401 missing_api_key, 401 invalid_api_key`, async () => {
    for (const [key, code] of [
      [undefined, 'missing_api_key'],
      [`bsk_${'A'.repeat(49)}`, 'invalid_api_key'],
    ] as Json[][]) {
      const reply = await at('message').send(method, path, { body, key })
      isProblem(reply, 401, code)
      match(reply.headers['www-authenticate'], /^Bearer\b/)
    }
  })
test('errors-have-pointers: decisions 10: errors has one entry for each fault', async () => {
  const account = await rich()
  const reply = await dryRun('classified', { title: 'x', body: 'short', category: 'nothing' }, account)
  for (const pointer of ['/title', '/body', '/category']) isInvalid(reply, pointer)
})
test('no-echo: standards 9: user text is never repeated in detail', async () => {
  const account = await rich()
  const word = marker()
  const reply = await dryRun('message', { text: `${word} `.repeat(60) }, account)
  isInvalid(reply, '/text')
  excludes(reply.text, word, 'problem document')
})
test('no-5xx-bodies: decisions 10: hostile bodies are answered with 4xx', async () => {
  const account = await rich()
  for (const body of [
    '{"__proto__":{"text":"a"}}',
    '{"constructor":{"prototype":{}},"text":"a"}',
    `{"text":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    '{"text":"\\ud800"}',
    '{"text":"a\\u0000b"}',
    '{"text":1e999}',
    `{"topics":[${'"aa",'.repeat(9000)}"aa"]}`,
    '{"text":"a","location":{"city":{"geonames_id":1e30,"name":"x"}}}',
    '{"text":"a","location":{"country":{}}}',
    '{"":""}',
    '[]',
    '"text"',
    'null',
  ]) {
    const reply = await dryRun('message', body, account)
    holds(
      reply.status >= 400 && reply.status < 500,
      `POST ${body.slice(0, 40)}`,
      'a status from 400 to 499',
      reply.toString(),
    )
    equal(reply.mediaType, 'application/problem+json', `content type for ${body.slice(0, 40)}`)
  }
})
test('405: decisions 10: PUT /v1/posts is 405 method_not_allowed with Allow', async () => {
  const account = await rich()
  const reply = await at('message').send('PUT', '/v1/posts', { body: {}, key: account.key })
  isProblem(reply, 405, 'method_not_allowed')
  match(reply.headers.allow, /POST/)
})
