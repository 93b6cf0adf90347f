// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../tooling/clients/browser.ts'
import { type PageType, pageTypesOf } from '../../tooling/fixtures/page-types.ts'
import { type SeededSites, seedSites } from '../../tooling/fixtures/populated-sites.ts'
import { isWhole, nightly } from '../../tooling/test-length.ts'
import { colourRules, type Look, type Rules } from '../support/pages/page-errors.ts'

let fixture: SeededSites
let browser: Awaited<ReturnType<typeof openBrowser>>
before(async () => {
  // First, because it fails immediately without a browser.
  browser = await openBrowser()
  fixture = await seedSites()
})
after(async () => {
  await fixture?.[Symbol.asyncDispose]()
  await browser?.[Symbol.asyncDispose]()
})

const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 900 }

test('on a phone, in light colours, every page type is accessible, stable and self-contained', async (context) => {
  const { faults, count } = await readAll({ colorScheme: 'light', viewport: phone }, {})
  context.diagnostic(`${count} pages`)
  assert.deepEqual(faults, [])
})

test(
  'on a wide screen, in dark colours, every page type is readable, stable and self-contained',
  nightly,
  async (context) => {
    const { faults, count } = await readAll({ colorScheme: 'dark', viewport: desk }, colourRules)
    context.diagnostic(`${count} pages`)
    assert.deepEqual(faults, [])
  },
)

/** A whole run covers every page type on every site, a short one each on one of them. */
function pagesToRead(): PageType[] {
  const all = fixture.sites.flatMap(pageTypesOf)
  if (isWhole) return all
  const byType = Object.groupBy(all, ({ name }) => name)
  return Object.values(byType).flatMap((pages = [], turn) => pages[turn % pages.length] ?? [])
}

test('on a phone, the transparency page shows every column of its tables', async () => {
  const page = await (await browser.newContext({ viewport: phone })).newPage()
  for (const { baseUrl } of fixture.sites) {
    await page.goto(`${baseUrl}/transparency/`)
    await page.evaluate('document.fonts.ready')
    const widths = await page
      .locator('.table-wrap')
      .evaluateAll((areas) => areas.map(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth))
    assert(widths.length > 0 && widths.every((hidden) => hidden === 0), `${baseUrl}: ${widths}`)
  }
})

test('on every front page, the first post is above the fold', async (context) => {
  for (const [viewport, lowest] of [
    [desk, 320],
    [phone, 700],
  ] as const) {
    const page = await (await browser.newContext({ viewport })).newPage()
    for (const { baseUrl } of fixture.sites) {
      await page.goto(`${baseUrl}/`)
      await page.evaluate('document.fonts.ready')
      const box = await page.locator('.entry').first().boundingBox()
      context.diagnostic(`${viewport.width} px: ${new URL(baseUrl).port} starts at ${box?.y} px`)
      assert.ok(box && box.y <= lowest, `${baseUrl} at ${viewport.width} px: ${box?.y}`)
    }
  }
})

test('a page shows the same without JavaScript', async () => {
  const [plain, scripted] = await Promise.all(
    [false, true].map(async (javaScriptEnabled) => (await browser.newContext({ javaScriptEnabled })).newPage()),
  )
  for (const site of fixture.sites.slice(0, isWhole ? undefined : 1))
    for (const { name, url } of pageTypesOf(site)) {
      if (!['front', 'post', 'topic', 'docs'].includes(name)) continue
      const [text, other] = await Promise.all([plain, scripted].map((page) => textOfMain(page as Page, url)))
      assert.ok(String(text).length > 100, url)
      assert.equal(text, other, url)
    }
})

test('without JavaScript, the form searches, and going back to it uses no quota', async () => {
  const [page, other] = await Promise.all(
    [0, 1].map(async () => (await browser.newContext({ javaScriptEnabled: false })).newPage()),
  )
  const form = `${fixture.sites[0]?.baseUrl}/search`
  const left = async () => Number(/([\d,]+) of/.exec(await textOfMain(other as Page, form))?.[1]?.replaceAll(',', ''))
  assert.ok(page)
  await page.goto(form)
  assert.equal(await page.evaluate('document.activeElement.id'), 'q')
  const before = await left()
  await page.keyboard.type('harbour')
  await page.keyboard.press('Enter')
  await page.waitForURL(/q=harbour/)
  assert.equal(await left(), before - 1)
  const [filled, results] = await Promise.all(
    ['.search-form', '.results'].map((part) => page.locator(part).boundingBox()),
  )
  assert.ok(filled && results && results.y >= filled.y + filled.height, 'the results are below the form')
  await page.locator('.results a').first().click()
  await page.waitForURL(/\/p\/post_/)
  await page.goBack()
  assert.ok(await page.locator('.results').isVisible())
  assert.equal(await left(), before - 1)
})

test('a search linked from another site runs only after a confirmation', async () => {
  const page = await (await browser.newContext({})).newPage()
  const [here, there] = fixture.sites.map(({ baseUrl }) => baseUrl)
  await page.goto(`${here}/`)
  await page.evaluate(`location.href = ${JSON.stringify(`${there}/search?q=harbour`)}`)
  await page.waitForURL(/q=harbour/)
  assert.match(await page.locator('main').innerText(), /This search has not run yet/)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL(/kind=/)
  assert.ok(await page.locator('.results').isVisible())
})

async function textOfMain(page: Page, url: string): Promise<string> {
  await page.goto(url)
  const main = page.locator('main')
  assert.ok(await main.isVisible())
  return main.innerText()
}

/** Loads each page type of each site with an empty cache, and returns all errors. */
async function readAll(look: Look, rules: Rules): Promise<{ faults: string[]; count: number }> {
  const context = await browser.newContext(look)
  // Once for all pages: sending it with each takes longer than running it.
  await context.addInitScript({ content: axe.source })
  const page = await context.newPage()
  await (await context.newCDPSession(page)).send('Network.setCacheDisabled', { cacheDisabled: true })
  const heard = listen(page)
  const faults: string[] = []
  let count = 0
  for (const type of pagesToRead()) {
    count++
    heard.length = 0
    const measured = faultsIn(await load(page, type.url), look)
    const found = [...heard, ...measured, ...(await violations(page, rules))]
    faults.push(...found.map((fault) => `${type.name} ${type.url}: ${fault}`))
  }
  await context.close()
  return { faults, count }
}

/**
 * A browser without enough CPU time paints a partly parsed page and then shifts it. The machine causes that, not every
 * time; a shift caused by the page itself, by a font or a picture, happens every time.
 */
async function load(page: Page, url: string): Promise<Measures> {
  for (let loads = 1; ; loads++) {
    await page.goto(url)
    const measures = await page.evaluate<Measures>(measure)
    if (measures.shifts.length === 0 || loads === 3) return measures
  }
}

/** Collects errors while pages load. */
function listen(page: Page): string[] {
  const heard: string[] = []
  page.on('console', (message) => {
    // A page that is itself a 404 or a 410 is not an error.
    const isStatusOfPage = message.text().startsWith('Failed to load resource') && message.location().url === page.url()
    if (!isStatusOfPage) heard.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => heard.push(`script: ${error.message}`))
  page.on('requestfailed', (request) => {
    // A request that is aborted by navigation was still in progress.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') heard.push(`does not get ${request.url()}`)
  })
  page.on('request', (request) => {
    if (request.isNavigationRequest()) return
    if (new URL(request.url()).origin !== new URL(page.url()).origin) heard.push(`asks for ${request.url()}`)
  })
  page.on('response', (response) => {
    const isPage = response.request().isNavigationRequest()
    if (!isPage && !response.ok()) heard.push(`gets ${response.status()} for ${response.url()}`)
  })
  return heard
}

type Measures = { shifts: string[]; width: number }

/** Runs in the page once its fonts are loaded and painted. As a string, because we have no DOM types. */
const measure = `(async () => {
  await document.fonts.ready
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  const entries = []
  const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()))
  observer.observe({ type: 'layout-shift', buffered: true })
  await new Promise((resolve) => setTimeout(resolve, 20))
  const moved = ({ node, previousRect: from, currentRect: to }) =>
    [node?.nodeName, node?.className ?? node?.textContent, from.x, from.y, from.width, from.height, '→', to.x, to.y, to.width, to.height].join(' ')
  const shifts = entries.map(({ value, sources }) => [value, ...sources.map(moved)].join('; '))
  return { shifts, width: document.documentElement.scrollWidth }
})()`

const faultsIn = ({ shifts, width }: Measures, { viewport }: Look) => [
  ...shifts.map((shift) => `the layout shifts by ${shift}`),
  ...(width > viewport.width ? [`it is ${width} px wide`] : []),
]

async function violations(page: Page, rules: Rules): Promise<string[]> {
  const options = JSON.stringify({ ...rules, resultTypes: ['violations'], preload: false })
  const { violations: found } = await page.evaluate<AxeResults>(`axe.run(${options})`)
  return found.map(({ id, help, nodes }) => `axe ${id}: ${help} (${nodes.length}): ${nodes[0]?.html}`)
}
