import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listingOf, shownPost, siteOfKind } from '../../test/support/posts/public-posts.ts'
import { kinds } from '../kinds/index.ts'
import { listingStructuredData, postStructuredData } from './structured-data.ts'

const licenseUrl = 'https://creativecommons.org/licenses/by/4.0/'
const [message, story, classified, event] = ['message', 'story', 'classified', 'event'].map(
  (sought) => kinds.find(({ name }) => name === sought)!,
) as [(typeof kinds)[0], (typeof kinds)[0], (typeof kinds)[0], (typeof kinds)[0]]

function thingOf(kind: (typeof kinds)[0], number = 1) {
  const post = shownPost(kind, { number })
  return JSON.parse(postStructuredData(siteOfKind(kind), { post, isOver: false })).mainEntity
}

for (const kind of kinds)
  test(`pages of ${kind.site.plural} have a licence, a credit and a trust label`, () => {
    const post = shownPost(kind)
    const page = JSON.parse(postStructuredData(siteOfKind(kind), { post, isOver: false }))
    assert.deepEqual([page['@context'], page['@type'], page.url], ['https://schema.org', 'WebPage', post.url])
    assert.deepEqual([page.license, page.creditText], [licenseUrl, post.content.attribution])
    assert.deepEqual(page.author, {
      '@type': 'Organization',
      name: 'Harbour Notices',
      url: `https://${kind.site.slug}.broadside.example/by/${post.author_id}/`,
    })
    assert.equal(page.usageInfo.name, 'untrusted-user-content')
    assert.equal(page.mainEntity.url, post.url)
  })

test('a message is a SocialMediaPosting about a place', () => {
  const thing = thingOf(message)
  assert.deepEqual([thing['@type'], thing.license], ['SocialMediaPosting', licenseUrl])
  assert.match(thing.text, /^The ferry/)
  assert.deepEqual(thing.keywords, ['public-transport', 'ferries'])
  assert.deepEqual(thing.contentLocation, {
    '@type': 'Place',
    name: 'Lisbon',
    address: {
      '@type': 'PostalAddress',
      addressLocality: 'Lisbon',
      addressRegion: 'Lisbon',
      addressCountry: 'PT',
    },
    sameAs: 'https://sws.geonames.org/2267057/',
  })
})

test('a story is a creative work with the start of its text', () => {
  const thing = thingOf(story)
  assert.deepEqual([thing['@type'], thing.name], ['ShortStory', 'The Lighthouse Keeper’s Last Query'])
  assert.match(thing.abstract, /^The lighthouse .*…$/s)
})

test('an ad is an offer with its price and condition until it expires, or a demand', () => {
  const { itemOffered, areaServed, offeredBy, ...offer } = thingOf(classified)
  assert.deepEqual(offer, {
    '@type': 'Offer',
    availability: 'https://schema.org/InStock',
    price: 1450,
    priceCurrency: 'EUR',
    url: shownPost(classified).url,
    itemCondition: 'https://schema.org/UsedCondition',
    validThrough: '2026-12-15T12:01:03.500Z',
  })
  assert.deepEqual([itemOffered['@type'], areaServed.name, offeredBy.name], ['Vehicle', 'Utrecht', 'Harbour Notices'])
  assert.equal(thingOf(classified, 2).itemOffered['@type'], 'Service')
  const demand = thingOf(classified, 3)
  assert.deepEqual([demand['@type'], demand.itemCondition, demand.license], ['Demand', undefined, undefined])
})

test('an event has its times with their offset, and a place or none', () => {
  const thing = thingOf(event)
  assert.deepEqual([thing.startDate, thing.endDate], ['2030-06-15T18:00:00+01:00', '2030-06-15T22:00:00+01:00'])
  assert.deepEqual([thing['@type'], thing.location.name, thing.license], ['Event', 'Lisbon', undefined])
  assert.equal(thing.eventAttendanceMode, 'https://schema.org/OfflineEventAttendanceMode')
  const online = thingOf(event, 3)
  assert.equal(online.location['@type'], 'VirtualLocation')
  assert.equal(online.eventAttendanceMode, 'https://schema.org/OnlineEventAttendanceMode')
})

test('a listing contains its breadcrumbs and its posts by name and URL', () => {
  const site = siteOfKind(message)
  const posts = [shownPost(message, { number: 2 }), shownPost(message)]
  const parents = [{ path: 'places/pt', name: 'Portugal' }]
  const view = listingOf(posts, { path: 'places/pt/pt-11', name: 'Lisbon', parents, listedCount: 40 })
  const page = JSON.parse(listingStructuredData(site, view))
  assert.deepEqual([page['@type'], page.license, page.mainEntity.numberOfItems], ['CollectionPage', licenseUrl, 40])
  assert.deepEqual(
    page.mainEntity.itemListElement.map(({ url }: { url: string }) => url),
    posts.map(({ url }) => url),
  )
  assert.deepEqual(
    page.breadcrumb.itemListElement.map(({ name }: { name: string }) => name),
    ['Broadside Messages', 'Portugal', 'Lisbon'],
  )
  assert.equal(page.breadcrumb.itemListElement[2].item, `${site.baseUrl}/places/pt/pt-11/`)
})
