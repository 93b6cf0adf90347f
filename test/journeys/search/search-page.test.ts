import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, suite, test } from 'node:test'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { assertLabelled, linksOf, mainText, metaOf } from '../../support/pages/read-page.ts'
import { htmlFaults } from '../../support/pages/valid-formats.ts'
import { tricks } from '../../support/posts/hostile-text.ts'
import {
  hostileMessages,
  marksIn,
  nextIn,
  resultsIn,
  type SearchFixture,
  seedSearchPosts,
} from '../../support/search-fixture.ts'

let service: Service
let open: SearchFixture['open']
let openAsBrowser: SearchFixture['openAsBrowser']
let day: SearchFixture['day']
before(async () => {
  service = await startService({ searchesPerAddress: 20, searchesPerKey: 100, apiServers: 2 })
  const fixture = await seedSearchPosts(service)
  open = fixture.open
  openAsBrowser = fixture.openAsBrowser
  day = fixture.day
})
after(() => service[Symbol.asyncDispose]())
/** A day has 20 searches, and each test uses its own day. */
beforeEach(() => service.asOwner('delete from allowance_uses'))

/** The page starts with its own site; these tests search all of them unless they say otherwise. */
const all = 'kind='
const searchApi = (q: string) => fetch(`${service.baseUrl}/v1/search?${new URLSearchParams({ q })}`)
const leftIn = async () => Number(/(\d+) of 20 free searches left/.exec((await open('/search')).text)?.[1])

suite('the form', () => {
  test('is on every site in its style, shows the remaining quota, and uses nothing', async () => {
    for (const [kind, baseUrl] of Object.entries(service.baseUrls)) {
      const { status, headers, page, text } = await open('/search', {}, 'GET', baseUrl)
      assert.equal(status, 200, kind)
      assert.match(text, /20 of 20 free searches left today; the count resets at 00:00 UTC/)
      assert.match(text, /100 searches a day are free, and each further search costs \$0\.001/)
      assert.equal(metaOf(page, 'robots'), 'noindex')
      assert.deepEqual(linksOf(page, 'license'), [])
      assert.match(page, / autofocus/)
      assert.deepEqual(htmlFaults(page), [])
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('content-encoding'), 'gzip')
    }
  })

  test('has the security policies of the static pages, for every status', async () => {
    await writeFile(join(service.pagesDirectory, 'messages', 'still.html'), '<p>Still')
    const still = await open('/still.html')
    assert.ok(still.headers.get('content-security-policy'))
    for (const path of ['/search', '/search?q=ferry', '/search?q=-ferry'])
      for (const name of ['content-security-policy', 'referrer-policy', 'x-content-type-options'])
        assert.equal((await open(path)).headers.get(name), still.headers.get(name), `${path} ${name}`)
  })

  test('ignores unknown parameters', async () => {
    assert.equal((await open('/search?utm_source=mail&utm_source=news')).status, 200)
    assert.equal(resultsIn((await open(`/search?q=ferry&${all}&utm_source=mail`)).page).length, 3)
  })
})

suite('a search', () => {
  test('shows posts of all sites with matches highlighted, and the quota used', async () => {
    const { status, headers, page, text } = await open(`/search?q=ferr&${all}`)
    assert.equal(status, 200)
    assert.match(text, /This search used 1 of your 20 free searches; 19 are left/)
    assert.match(text, /Reloading this page uses another one/)
    assert.match(text, /3 posts for “ferr”/)
    assert.deepEqual(marksIn(page).toSorted(), ['Ferry', 'ferry', 'ferry', 'ferryman'])
    const origins = resultsIn(page).map((href) => new URL(String(href)).origin)
    assert.deepEqual(
      new Set(origins),
      new Set(['message', 'story', 'classified'].map((kind) => service.baseUrls[kind])),
    )
    assert.equal(headers.get('ratelimit-policy'), '"search-free";q=20;w=86400')
    assert.match(headers.get('ratelimit') ?? '', /^"search-free";r=19;t=\d+$/)
    assert.equal(headers.get('cache-control'), 'private, no-cache')
    assert.deepEqual(htmlFaults(page), [])
    assertLabelled(page, ['The last ferry', 'A ferryman waited'])
    assert.ok(!page.includes(' autofocus'))
    assert.equal(await leftIn(), 19)
  })

  test('shows the part of a long text where the word is', async () => {
    const { page } = await open(`/search?q=ferryman&${all}`)
    assert.match(
      page,
      /<p class="excerpt" dir="auto" lang="">… .*A <mark>ferryman<\/mark> waited for nobody\..* …<\/p>/s,
    )
  })

  test('shows hostile text as text', async () => {
    const { page } = await open('/search?q=zephyr')
    assert.deepEqual(htmlFaults(page), [])
    assert.equal(resultsIn(page).length, hostileMessages.length)
    assert.ok(marksIn(page).every((mark) => mark === 'zephyr'))
    assert.ok(mainText(page).includes('</script><script>alert(1)</script>'))
  })

  test('repeats a hostile query as text, found or refused', async () => {
    for (const trick of tricks) {
      await service.asOwner('delete from allowance_uses')
      const { status, page } = await open(`/search?${new URLSearchParams({ q: trick.toWellFormed().slice(0, 200) })}`)
      assert.ok(status === 200 || status === 400, `${status} ${trick}`)
      assert.deepEqual(htmlFaults(page), [], trick)
      assert.doesNotMatch(page, /<script|onerror=alert\(1\)>|onload=alert\(1\)>/)
    }
  })

  test('is filtered by kind, topic, country and days, and sorted', async () => {
    const found = async (query: string) => (await open(`/search?q=ferry&${query}`)).page
    assert.deepEqual(resultsIn(await found('kind=story')).length, 1)
    assert.deepEqual(resultsIn(await found(`${all}&topic=%23Ferries`)).length, 1)
    assert.deepEqual(resultsIn(await found(`${all}&country=PT`)).length, 1)
    assert.deepEqual(resultsIn(await found(`${all}&since=${day(1)}&until=${day(1)}`)).length, 1)
    assert.deepEqual(resultsIn(await found(`${all}&since=${day(2)}&until=${day(0)}`)).length, 3)
    const newest = await found('sort=newest&kind=&topic=&country=&since=&until=')
    assert.deepEqual(
      resultsIn(newest).map((href) => new URL(String(href)).origin),
      ['message', 'story', 'classified'].map((kind) => service.baseUrls[kind]),
    )
  })

  test('keeps the chosen values in the form, and opens the filters only if they are used', async () => {
    const { page } = await open('/search?q=ferry&kind=message&sort=newest&country=PT')
    assert.match(page, /name="q" value="ferry"/)
    for (const chosen of ['message', 'newest', 'PT']) assert.ok(page.includes(`<option value="${chosen}" selected>`))
    assert.match(page, /<details open>/)
    assert.match((await open('/search?q=ferry&kind=message')).page, /<details>/)
  })

  test('leads to the next page with a link that states its cost', async () => {
    const first = await open('/search?q=quince&sort=newest&since=2000-01-01')
    assert.match(first.text, /The first 20 messages for “quince”/)
    assert.match(first.text, /Next results uses 1 of the 19 searches left/)
    const second = await open(nextIn(first.page))
    assert.match(second.text, /The last 2 messages for “quince”/)
    assert.match(second.text, /18 are left/)
    assert.match(second.page, /name="since" value="2000-01-01"/)
    assert.equal(new Set([...resultsIn(first.page), ...resultsIn(second.page)]).size, 22)
    assert.equal(nextIn(second.page), '')
  })

  test('without results suggests what to try, and counts', async () => {
    const { status, text, page } = await open('/search?q=unfindable&kind=story')
    assert.equal(status, 200)
    assert.match(text, /No posts for “unfindable”/)
    assert.match(text, /Try fewer words/)
    assert.match(text, /Search all sites without filters, which uses 1 of the/)
    assert.deepEqual(htmlFaults(page), [])
    assert.equal(await leftIn(), 19)
  })
})

suite('no quota is used', () => {
  test('by HEAD, by browser prefetches, and by links from other sites', async () => {
    const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const silent: [Record<string, string>, string?][] = [
      [{}, 'HEAD'],
      [{ ...navigation, 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch;prerender' }],
      [{ ...navigation, 'sec-fetch-site': 'cross-site' }],
      [{ ...navigation, 'sec-fetch-site': 'same-site' }],
      [{ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }],
    ]
    for (const [headers, method] of silent) {
      const seen = await openAsBrowser('/search?q=ferry&kind=story', headers, method)
      assert.equal(seen.status, 200)
      assert.equal(await leftIn(), 20, JSON.stringify(headers))
      if (method === 'HEAD') continue
      assert.match(mainText(seen.page), /This search has not run yet/)
      assert.match(seen.page, /name="q" value="ferry"/)
      assert.ok(seen.page.includes('<option value="story" selected>'))
      assert.deepEqual(resultsIn(seen.page), [])
      assert.deepEqual(htmlFaults(seen.page), [])
    }
    for (const site of ['same-origin', 'none'])
      assert.equal(
        resultsIn((await openAsBrowser(`/search?q=ferry&${all}`, { ...navigation, 'sec-fetch-site': site })).page)
          .length,
        3,
      )
    assert.equal(await leftIn(), 18)
  })

  test('by an invalid query: the error is shown at its field', async () => {
    const cases: [string, string, RegExp][] = [
      ['q=-ferry', 'q', /The search text must have a word to search for/],
      ['q=%20', 'q', /The search text must not be blank/],
      ['q=ferry&topic=a%26b', 'topic', /The topic must contain only lowercase letters/],
      ['q=ferry&since=soon', 'since', /The first day must be a date, such as/],
      ['q=ferry&country=XX', 'country', /The country must be one from the list/],
      ['q=ferry&kind=event&starts_after=soon', 'starts_after', /“Starts from” must be a date, such as/],
      ['q=ferry&kind=classified&max_price=cheap', 'max_price', /The highest price must be an amount with a decimal/],
      ['q=ferry&kind=classified&category=boats', 'category', /The category must be one from the list/],
      ['q=ferry&kind=poem', 'kind', /The site must be one from the list/],
    ]
    for (const [query, field, fault] of cases) {
      const { status, page, text } = await open(`/search?${query}`)
      assert.equal(status, 400, query)
      assert.match(text, fault)
      assert.match(text, /This did not count as a search/)
      assert.match(page, new RegExp(`id="${field}"[^>]* aria-invalid="true" aria-describedby="${field}-fault`))
      assert.deepEqual(htmlFaults(page), [])
    }
    assert.equal((await open('/search?q=ferry&cursor=nonsense')).status, 400)
    assert.equal(await leftIn(), 20)
  })
})

suite('the quota', () => {
  test('is shared by the page and the API, on all sites', async () => {
    await searchApi('ferry')
    assert.equal(await leftIn(), 19)
    await open('/search?q=ferry', {}, 'GET', String(service.baseUrls['event']))
    const { metering } = (await (await searchApi('ferry')).json()) as { metering: { free_remaining: number } }
    assert.equal(metering.free_remaining, 17)
  })

  test('allows exactly 20 of 60 parallel searches, half on the page and half by the API', async () => {
    const all = Array.from({ length: 60 }, (_, number) =>
      number % 2 === 0 ? open('/search?q=ferry') : searchApi('ferry'),
    )
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 20)
    assert.equal(statuses.filter((status) => status === 429).length, 40)
  })

  test('used up, says so in text and fields; a forged address has no effect', async () => {
    for (let count = 0; count < 20; count++) await searchApi('ferry')
    for (const forged of [{}, { 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }]) {
      const { status, headers, page, text } = await open('/search?q=ferry&country=PT', forged)
      assert.equal(status, 429)
      assert.match(text, /Daily search limit reached/)
      assert.match(text, /The count resets at 00:00 UTC, in (\d+ h )?\d+ min/)
      assert.match(text, /Agents with an API key have a higher limit: 100 searches a day are free/)
      assert.match(page, /name="q" value="ferry"/)
      assert.match(headers.get('ratelimit') ?? '', /^"search-free";r=0;t=\d+$/)
      assert.equal(headers.get('retry-after'), /t=(\d+)$/.exec(headers.get('ratelimit') ?? '')?.[1])
      assert.deepEqual(htmlFaults(page), [])
    }
    assert.match((await open('/search')).text, /0 of 20 free searches left today/)
  })

  test('is not the key’s: the page ignores a key', async () => {
    const { api_key } = await service.createAccount()
    assert.match((await open('/search?q=ferry', { authorization: `Bearer ${api_key}` })).text, /19 are left/)
    assert.equal((await open('/search?q=ferry', { authorization: 'Bearer wrong' })).status, 200)
  })
})

suite('an error', () => {
  test('is a problem document for clients that do not ask for HTML', async () => {
    for (const accept of ['application/json', '*/*', 'text/html;q=0, application/json']) {
      const { status, headers, page } = await open('/search?q=-', { accept })
      assert.equal(status, 400)
      assert.equal(headers.get('content-type'), 'application/problem+json')
      assert.equal(headers.get('content-security-policy'), null)
      assert.equal(JSON.parse(page).code, 'invalid_query')
    }
  })

  test('for another method lists the allowed ones', async () => {
    const { status, headers, text } = await open('/search', {}, 'POST')
    assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'])
    assert.match(text, /Use the form below to search/)
  })

  test('of a search is a page, and the search does not count', async () => {
    await service.asOwner('alter table search_entries rename to away')
    try {
      const { status, page, text } = await open('/search?q=ferry')
      assert.equal(status, 500)
      assert.match(text, /Search is temporarily unavailable/)
      assert.match(text, /This did not count as a search/)
      assert.deepEqual(htmlFaults(page), [])
    } finally {
      await service.asOwner('alter table away rename to search_entries')
    }
    assert.equal(await leftIn(), 20)
  })
})
