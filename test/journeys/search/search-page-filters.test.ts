import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { unescaped } from '../../support/pages/links-in.ts'
import { mainText } from '../../support/pages/read-page.ts'
import { htmlFaults } from '../../support/pages/valid-formats.ts'
import { resultsIn, type SearchFixture, seedSearchPosts } from '../../support/search-fixture.ts'

let service: Service
let open: SearchFixture['open']
before(async () => {
  service = await startService({ searchesPerAddress: 20 })
  open = (await seedSearchPosts(service)).open
})
after(() => service[Symbol.asyncDispose]())
beforeEach(() => service.asOwner('delete from allowance_uses'))

suite('a search on a site', () => {
  test('finds posts of its own site, and leads to those of all sites', async () => {
    for (const [kind, found] of [
      ['message', 1],
      ['event', 0],
    ] as const) {
      const { page } = await open('/search?q=ferry', {}, 'GET', String(service.baseUrls[kind]))
      assert.equal(resultsIn(page).length, found, kind)
      assert.ok(page.includes(`<option value="${kind}" selected>`))
      assert.ok(unescaped(page).includes('href="/search?q=ferry&kind="'), 'the link to all sites')
    }
    const everywhere = await open('/search?q=ferry&kind=', {}, 'GET', String(service.baseUrls['event']))
    assert.equal(resultsIn(everywhere.page).length, 3)
    assert.ok(!everywhere.page.includes('Search all sites<'))
  })

  test('offers the filters of its site, and finds an ad by category, price and place', async () => {
    const site = String(service.baseUrls['classified'])
    const form = await open('/search', {}, 'GET', site)
    assert.match(form.page, /<details open>/)
    for (const name of ['category', 'condition', 'currency', 'min_price', 'max_price', 'country', 'topic'])
      assert.ok(form.page.includes(` name="${name}"`), name)
    assert.ok(!form.page.includes('name="starts_after"'))
    assert.match(form.page, /<input type="number" id="max_price" name="max_price" value="" min="0" step="any"/)
    assert.deepEqual(htmlFaults(form.page), [])
    const right = 'category=vehicles&condition=good&max_price=1500&min_price=1000&currency=EUR&country=PT'
    const found = async (query: string) => (await open(`/search?q=tandem&${query}`, {}, 'GET', site)).page
    const page = await found(right)
    assert.equal(resultsIn(page).length, 1)
    assert.deepEqual(htmlFaults(page), [])
    assert.match(mainText(page), /Price€1,450.*CategoryVehicles.*ConditionGood.*PlaceLisbo[an], Portugal/)
    for (const wrong of ['category=jobs', 'max_price=1449.99', 'min_price=1451', 'currency=USD', 'country=ES'])
      assert.equal(
        resultsIn(await found(`${right.replace(new RegExp(`${wrong.split('=')[0]}=[^&]*`), wrong)}`)).length,
        0,
        wrong,
      )
  })

  test('finds an event by its start, including the last day', async () => {
    const site = String(service.baseUrls['event'])
    const found = async (query: string) => (await open(`/search?q=observatory&${query}`, {}, 'GET', site)).page
    const page = await found('starts_after=2030-06-15&starts_before=2030-06-15')
    assert.equal(resultsIn(page).length, 1)
    assert.match(mainText(page), /StartsSaturday 15 June 2030, 18:00/)
    for (const wrong of ['starts_after=2030-06-16', 'starts_before=2030-06-14'])
      assert.equal(resultsIn(await found(wrong)).length, 0, wrong)
  })
})
