import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { allDocuments } from '../../src/documents/all-documents.ts'
import { exampleDeployment } from '../../src/documents/site-documents.ts'
import { openBrowser } from '../../tooling/clients/browser.ts'
import { serveFiles } from '../support/http/gateway.ts'

/** Each file is compressed before it is served, so only those that these tests open. */
const needed =
  /^messages\/(docs\/(quickstart|webhooks|reference\/posts)?\/?(index\.html|search-index\.json)$|assets\/|favicon)/

let browser: Awaited<ReturnType<typeof openBrowser>>
let site: Awaited<ReturnType<typeof serveFiles>>
before(async () => {
  browser = await openBrowser()
  const files = [...allDocuments(exampleDeployment)].flatMap(([path, content]) =>
    needed.test(path) ? [[path.slice('messages/'.length), content]] : [],
  )
  site = await serveFiles(Object.fromEntries(files))
})
after(async () => {
  await site?.[Symbol.asyncDispose]()
  await browser?.[Symbol.asyncDispose]()
})

/** What the browser reported on any page. */
const complaints: string[] = []

async function open(path: string, { javaScriptEnabled = true, width = 1280 } = {}): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled,
    viewport: { width, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(site.baseUrl + path)
  return page
}

const visibleCode = (page: Page) => page.locator('.tabs').first().locator('pre:visible').innerText()

test('without JavaScript there is no button and no field, and the tabs work by keyboard', async () => {
  const page = await open('/docs/quickstart/', { javaScriptEnabled: false })
  assert.equal(await page.locator('main button, main input[type=search]').count(), 0)
  assert.match(await visibleCode(page), /^curl /)
  await page.locator('.tabs input').first().focus()
  await page.keyboard.press('ArrowRight')
  assert.match(await visibleCode(page), /'broadside'/)
  await page.keyboard.press('ArrowRight')
  assert.match(await visibleCode(page), /^from broadside import/)
})

test('the lists of pages and headings are open on a wide screen, and folded on a phone', async () => {
  const wide = await open('/docs/webhooks/', { javaScriptEnabled: false })
  const phone = await open('/docs/webhooks/', { javaScriptEnabled: false, width: 390 })
  for (const list of ['.docs-nav', '.on-page']) {
    const visible = (page: Page) => page.locator(`${list} a:visible`).count()
    const count = await visible(wide)
    assert.ok(count > 10, list)
    assert.equal(await wide.locator(`${list} summary`).isVisible(), false)
    assert.equal(await visible(phone), 0)
    await phone.locator(`${list} summary`).click()
    assert.equal(await visible(phone), count)
  }
})

test('a copy button copies its block', async () => {
  const page = await open('/docs/quickstart/')
  const block = page.locator('.code:visible').first()
  await block.hover()
  // The browser writes to the clipboard in the background. The button then says so for two seconds.
  const confirmation = block.getByRole('button', { name: 'Copied' }).waitFor()
  await block.getByRole('button', { name: 'Copy', exact: true }).click()
  await confirmation
  const copied = await page.evaluate('navigator.clipboard.readText()')
  assert.equal(copied, await block.locator('pre').evaluate((pre: { textContent: string }) => pre.textContent))
})

test('one choice of language counts for all examples, on the next page too', async () => {
  const page = await open('/docs/quickstart/')
  await page.locator('.tabs label').getByText('Python', { exact: true }).first().click()
  assert.equal(
    await page.locator('pre:visible .language-sh, pre:visible > .language-ts').count(),
    6,
    'the installation, the exports and the forms of the page',
  )
  await page.goto(`${site.baseUrl}/docs/reference/posts/`)
  assert.match(await visibleCode(page), /from broadside import/)
})

test('the search finds operations, headings and problems, by keyboard', async () => {
  const page = await open('/docs/')
  await page.keyboard.press('/')
  const found = page.locator('.found a')
  for (const [words, href] of Object.entries({
    'submit post': '/docs/reference/posts/#submitPost',
    'rotate sec': '/docs/webhooks/#rotate-the-secret',
    insufficient_balance: '/problems/insufficient_balance',
    quickstart: '/docs/quickstart/',
  })) {
    await page.keyboard.type(words)
    await found.first().waitFor()
    assert.ok(
      (await found.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).includes(href),
      words,
    )
    await page.keyboard.press('Escape')
    assert.equal(await found.count(), 0)
  }
  await page.keyboard.type('nothing-like-this')
  await page.getByText('No results').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.type('quickstart')
  await found.first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/quickstart\/$/)
})

test('the browser reported nothing, and the policy allowed everything', () => assert.deepEqual(complaints, []))
