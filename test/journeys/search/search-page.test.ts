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
/** A day has its 20 searches, and a test has them all. */
beforeEach(() => service.asOwner('delete from allowance_uses'))

const searchApi = (q: string) => fetch(`${service.baseUrl}/v1/search?${new URLSearchParams({ q })}`)
const leftIn = async () => Number(/(\d+) of 20 free searches left/.exec((await open('/search')).text)?.[1])

suite('the form', () => {
  test('stands on every site in its look, says what is left, and uses nothing', async () => {
    for (const [kind, baseUrl] of Object.entries(service.baseUrls)) {
      const { status, headers, page, text } = await open('/search', {}, 'GET', baseUrl)
      assert.equal(status, 200, kind)
      assert.match(text, /20 of 20 free searches left today; they start anew at 00:00 UTC/)
      assert.match(text, /100 a day are free, and each further one costs \$0\.001/)
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

  test('has the policies of the static pages, whatever the status', async () => {
    await writeFile(join(service.pagesDirectory, 'messages', 'still.html'), '<p>Still')
    const still = await open('/still.html')
    assert.ok(still.headers.get('content-security-policy'))
    for (const path of ['/search', '/search?q=ferry', '/search?q=-ferry'])
      for (const name of ['content-security-policy', 'referrer-policy', 'x-content-type-options'])
        assert.equal((await open(path)).headers.get(name), still.headers.get(name), `${path} ${name}`)
  })

  test('passes over what is not its own in an address', async () => {
    assert.equal((await open('/search?utm_source=mail&utm_source=news')).status, 200)
    assert.equal(resultsIn((await open('/search?q=ferry&utm_source=mail')).page).length, 3)
  })
})

suite('a search', () => {
  test('shows posts of all sites with what was found marked, and what it used', async () => {
    const { status, headers, page, text } = await open('/search?q=ferr')
    assert.equal(status, 200)
    assert.match(text, /This search used one of your 20; 19 are left/)
    assert.match(text, /so does loading this page again/)
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
    const { page } = await open('/search?q=ferryman')
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

  test('is narrowed by kind, topic, country and days, and put in order', async () => {
    const found = async (query: string) => (await open(`/search?q=ferry&${query}`)).page
    assert.deepEqual(resultsIn(await found('kind=story')).length, 1)
    assert.deepEqual(resultsIn(await found('topic=%23Ferries')).length, 1)
    assert.deepEqual(resultsIn(await found('country=PT')).length, 1)
    assert.deepEqual(resultsIn(await found(`since=${day(1)}&until=${day(1)}`)).length, 1)
    assert.deepEqual(resultsIn(await found(`since=${day(2)}&until=${day(0)}`)).length, 3)
    const newest = await found('sort=newest&kind=&topic=&country=&since=&until=')
    assert.deepEqual(
      resultsIn(newest).map((href) => new URL(String(href)).origin),
      ['message', 'story', 'classified'].map((kind) => service.baseUrls[kind]),
    )
  })

  test('keeps what was chosen in the form, and opens what narrows only where it is used', async () => {
    const { page } = await open('/search?q=ferry&kind=message&sort=newest&country=PT')
    assert.match(page, /name="q" value="ferry"/)
    for (const chosen of ['message', 'newest', 'PT']) assert.ok(page.includes(`<option value="${chosen}" selected>`))
    assert.match(page, /<details open>/)
    assert.match((await open('/search?q=ferry&kind=message')).page, /<details>/)
  })

  test('goes on to the next page by a link that says what it uses', async () => {
    const first = await open('/search?q=quince&sort=newest&since=2000-01-01')
    assert.match(first.text, /The first 20 posts for “quince”/)
    assert.match(first.text, /Next results uses one more search of the 19 left/)
    const second = await open(nextIn(first.page))
    assert.match(second.text, /The last 2 posts for “quince”/)
    assert.match(second.text, /18 are left/)
    assert.match(second.page, /name="since" value="2000-01-01"/)
    assert.equal(new Set([...resultsIn(first.page), ...resultsIn(second.page)]).size, 22)
    assert.equal(nextIn(second.page), '')
  })

  test('that finds nothing says what to try, and is counted', async () => {
    const { status, text, page } = await open('/search?q=unfindable&kind=story')
    assert.equal(status, 200)
    assert.match(text, /No post for “unfindable”/)
    assert.match(text, /Try fewer words/)
    assert.match(text, /Look in all kinds, places and times, which uses one more search/)
    assert.deepEqual(htmlFaults(page), [])
    assert.equal(await leftIn(), 19)
  })
})

suite('nothing is used up', () => {
  test('by HEAD, by what a browser fetches on a guess, and by links from elsewhere', async () => {
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
      assert.match(mainText(seen.page), /Nothing has been searched yet/)
      assert.match(seen.page, /name="q" value="ferry"/)
      assert.ok(seen.page.includes('<option value="story" selected>'))
      assert.deepEqual(resultsIn(seen.page), [])
      assert.deepEqual(htmlFaults(seen.page), [])
    }
    for (const site of ['same-origin', 'none'])
      assert.equal(
        resultsIn((await openAsBrowser('/search?q=ferry', { ...navigation, 'sec-fetch-site': site })).page).length,
        3,
      )
    assert.equal(await leftIn(), 18)
  })

  test('by a query that cannot be looked for: the fault stands beside its field', async () => {
    const cases: [string, string, RegExp][] = [
      ['q=-ferry', 'q', /What you look for must have a word to look for/],
      ['q=%20', 'q', /What you look for must not be blank/],
      ['q=ferry&topic=a%26b', 'topic', /A topic must be lowercase letters/],
      ['q=ferry&since=soon', 'since', /The first day must be a day, such as/],
      ['q=ferry&country=XX', 'country', /The country must be one of the list/],
      ['q=ferry&kind=poem', 'kind', /The kind must be/],
    ]
    for (const [query, field, fault] of cases) {
      const { status, page, text } = await open(`/search?${query}`)
      assert.equal(status, 400, query)
      assert.match(text, fault)
      assert.match(text, /nothing was used/)
      assert.match(page, new RegExp(`id="${field}"[^>]* aria-invalid="true" aria-describedby="${field}-fault`))
      assert.deepEqual(htmlFaults(page), [])
    }
    assert.equal((await open('/search?q=ferry&cursor=nonsense')).status, 400)
    assert.equal(await leftIn(), 20)
  })
})

suite('the allowance', () => {
  test('is one for the page and the API, on all sites', async () => {
    await searchApi('ferry')
    assert.equal(await leftIn(), 19)
    await open('/search?q=ferry', {}, 'GET', String(service.baseUrls['event']))
    const { metering } = (await (await searchApi('ferry')).json()) as { metering: { free_remaining: number } }
    assert.equal(metering.free_remaining, 17)
  })

  test('answers exactly 20 of 60 parallel searches, half on the page and half by the API', async () => {
    const all = Array.from({ length: 60 }, (_, number) =>
      number % 2 === 0 ? open('/search?q=ferry') : searchApi('ferry'),
    )
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 20)
    assert.equal(statuses.filter((status) => status === 429).length, 40)
  })

  test('used up, says so in words and fields; a forged address changes nothing', async () => {
    for (let count = 0; count < 20; count++) await searchApi('ferry')
    for (const forged of [{}, { 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }]) {
      const { status, headers, page, text } = await open('/search?q=ferry&country=PT', forged)
      assert.equal(status, 429)
      assert.match(text, /Today’s searches are used up/)
      assert.match(text, /They start anew at 00:00 UTC, in (\d+ h )?\d+ min/)
      assert.match(text, /An agent that searches with an API key has more: 100 a day are free/)
      assert.match(page, /name="q" value="ferry"/)
      assert.match(headers.get('ratelimit') ?? '', /^"search-free";r=0;t=\d+$/)
      assert.equal(headers.get('retry-after'), /t=(\d+)$/.exec(headers.get('ratelimit') ?? '')?.[1])
      assert.deepEqual(htmlFaults(page), [])
    }
    assert.match((await open('/search')).text, /None of 20 free searches is left today/)
  })

  test('is not the key’s: a key that is sent to the page is passed over', async () => {
    const { api_key } = await service.createAccount()
    assert.match((await open('/search?q=ferry', { authorization: `Bearer ${api_key}` })).text, /19 are left/)
    assert.equal((await open('/search?q=ferry', { authorization: 'Bearer wrong' })).status, 200)
  })
})

suite('what goes wrong', () => {
  test('is a problem document for who does not ask for pages', async () => {
    for (const accept of ['application/json', '*/*', 'text/html;q=0, application/json']) {
      const { status, headers, page } = await open('/search?q=-', { accept })
      assert.equal(status, 400)
      assert.equal(headers.get('content-type'), 'application/problem+json')
      assert.equal(headers.get('content-security-policy'), null)
      assert.equal(JSON.parse(page).code, 'invalid_query')
    }
  })

  test('another method is refused, and told which there are', async () => {
    const { status, headers, text } = await open('/search', {}, 'POST')
    assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'])
    assert.match(text, /This page takes what the form below sends/)
  })

  test('a search that fails is a page, and not counted', async () => {
    await service.asOwner('alter table search_entries rename to away')
    try {
      const { status, page, text } = await open('/search?q=ferry')
      assert.equal(status, 500)
      assert.match(text, /Search does not answer just now/)
      assert.match(text, /Nothing was used/)
      assert.deepEqual(htmlFaults(page), [])
    } finally {
      await service.asOwner('alter table away rename to search_entries')
    }
    assert.equal(await leftIn(), 20)
  })
})
