import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { parseFeed } from 'feedsmith'
import ICAL from 'ical.js'
import type { Page } from 'playwright-core'
import type { Kind } from '../../../src/kinds/index.ts'
import { openBrowser } from '../../../tooling/clients/browser.ts'
import { openStaff, signInBrowser } from '../../../tooling/clients/staff.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { nightly } from '../../../tooling/test-length.ts'
import { kindNamed } from '../../support/posts/create-post.ts'
import { publishAsModel } from '../../support/posts/publish-as-model.ts'

// What people do on the sites, in a browser that runs no scripts, by following links and submitting forms.

const [message, classified, event] = ['message', 'classified', 'event'].map(kindNamed) as [Kind, Kind, Kind]

const dayMs = 86_400_000
const daysUntil = (weekday: number, now: Date) => (weekday - now.getUTCDay() + 7) % 7

let service: Service
let author: string
let browser: Awaited<ReturnType<typeof openBrowser>>
before(async () => {
  browser = await openBrowser()
  service = await startService({ judges: true, pageDelays: { lists: 0.2, others: 0.2 } })
  // A Wednesday, so that the weekend is always ahead.
  service.clock.setOffset(daysUntil(3, service.clock.now()) * dayMs)
  author = (await service.createAccount()).id
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  await browser?.[Symbol.asyncDispose]()
})

const publish = (kind: Kind, changes: object) => publishAsModel(service, { kind, accountId: author, changes })

async function openFront(kind: Kind): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await page.goto(`${service.baseUrls[kind.name]}/`)
  return page
}

const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first().click()

/** 25 pages. */
const postsOfTopic = 500

// test/sites/listing-pages.test.ts follows the same links.
test('from the front page, a reader reaches the oldest post of a topic with many pages', nightly, async (context) => {
  const oldest = await publish(message, { text: 'The first notice on this topic.', topics: ['tides'] })
  for (let number = 2; number <= postsOfTopic; number++)
    await publish(message, { text: `Notice ${number} about the tides.`, topics: ['tides'] })
  await service.settle()
  const page = await openFront(message)
  await follow(page, /^tides$/)
  assert.match(await page.locator('.list-head .count').innerText(), new RegExp(`of ${postsOfTopic} messages`))
  let pages = 1
  for (const older = page.locator('a[rel=next]'); (await older.count()) > 0; pages++) await older.click()
  context.diagnostic(`${pages} pages`)
  await page.locator(`a[href="/p/${oldest}"]`).first().click()
  assert.match(await page.locator('main').innerText(), /The first notice on this topic/)
})

test('a reader saves an event of next weekend as a calendar file', async () => {
  // In UTC, so that it is on a Saturday everywhere.
  const [start, end] = saturdayHours(service.clock.now())
  const title = 'Rowing regatta on the estuary'
  await publish(event, { title, starts_at: start, ends_at: end, timezone: 'Etc/UTC' })
  await service.settle()
  const page = await openFront(event)
  await follow(page, 'This weekend')
  await follow(page, title)
  const [download] = await Promise.all([page.waitForEvent('download'), follow(page, /^Calendar file/)])
  const calendar = new ICAL.Component(ICAL.parse(await readFile(await download.path(), 'utf8')))
  const entry = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? undefined)
  assert.equal(entry.summary, title)
  assert.equal(entry.startDate.toJSDate().toISOString(), start)
})

/** From ten to noon on the next Saturday. */
function saturdayHours(now: Date): [string, string] {
  const start = new Date(now.getTime() + daysUntil(6, now) * dayMs)
  start.setUTCHours(10, 0, 0, 0)
  return [start.toISOString(), new Date(start.getTime() + 7_200_000).toISOString()]
}

test('a report from the form reaches the desk', async () => {
  const id = await publish(message, { text: 'Your parcel is waiting: pay the customs fee at parcels.example.' })
  await service.settle()
  const page = await openFront(message)
  await page.locator(`a[href="/p/${id}"]`).first().click()
  await follow(page, /^Report/)
  await page.getByLabel('Scams and fraud').check()
  await page.getByLabel(/What should we look at/).fill('Nobody sent this parcel.')
  await page.getByRole('button', { name: 'Send report' }).click()
  assert.match(await page.locator('main').innerText(), /Report received/)
  const reportId = await page.locator('.receipt code').innerText()
  assert.match(reportId, /^rep_/)
  await service.settle()
  const staff = await openStaff(service)
  const context = await browser.newContext({ javaScriptEnabled: false })
  await signInBrowser(service, context, staff.token)
  const desk = await context.newPage()
  await desk.goto(`${service.deskUrl}/`)
  await desk.locator('tr', { hasText: 'Your parcel is waiting' }).getByRole('link').first().click()
  assert.match(await desk.locator('main').innerText(), /Nobody sent this parcel\./)
})

test('a reader finds an ad by category, price and place', async () => {
  const ad = { category: 'vehicles', price: { amount: 240, currency: 'EUR' } }
  const wanted = await publish(classified, { ...ad, title: 'Dinghy in Utrecht', location: { country: 'NL' } })
  await publish(classified, { ...ad, title: 'Dinghy in Ghent', location: { country: 'BE' } })
  await publish(classified, {
    ...ad,
    title: 'Dear dinghy',
    price: { amount: 2400, currency: 'EUR' },
    location: { country: 'NL' },
  })
  await publish(classified, {
    ...ad,
    title: 'Dinghy trailer for hire',
    category: 'services',
    location: { country: 'NL' },
  })
  await service.settle()
  const page = await openFront(classified)
  await follow(page, 'Categories')
  await follow(page, 'Vehicles')
  assert.equal(await page.locator('.entry').count(), 3)
  await follow(page, 'Search')
  await page.getByLabel('Search for').fill('dinghy')
  await page.getByLabel('Category').selectOption({ label: 'Vehicles' })
  await page.getByLabel('Country').selectOption({ label: 'Netherlands' })
  await page.getByLabel('Highest price').fill('500')
  await page.getByRole('button', { name: 'Search' }).click()
  const results = page.locator('.results .result')
  assert.equal(await results.count(), 1)
  assert.match(await results.innerText(), /€240[\s\S]*Netherlands/)
  await follow(page, 'Dinghy in Utrecht')
  assert.equal(new URL(page.url()).pathname, `/p/${wanted}`)
})

test('a reader opens the feed of an author', async () => {
  const id = await publish(message, { text: 'A notice by an author worth following.' })
  await service.settle()
  const page = await openFront(message)
  await page.locator(`a[href="/p/${id}"]`).first().click()
  await page.locator(`main a[href="/by/${author}/"]`).first().click()
  const address = await page.getByRole('link', { name: 'RSS' }).first().getAttribute('href')
  const { feed } = parseFeed(await (await fetch(new URL(String(address), page.url()))).text())
  assert.ok(JSON.stringify(feed).includes(`/p/${id}`))
})
