import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import axe, { type AxeResults } from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import { routes } from '../src/owner-page/routes.ts'
import { openBrowser } from './support/browser.ts'
import { openOwner } from './support/owner.ts'
import { type StagedOwner, stageFullAccount, stubProvider } from './support/owner-stage.ts'
import { type Service, startService } from './support/service.ts'

const words = {
  name: 'The Notices of a Harbour with a Rather Long Name',
  text: 'Averyveryveryveryveryveryveryveryveryverylongwordwithoutaspace of the ferry',
  keyName: 'productionagentwithalongname',
  appeal: 'The ad names its price and its seller.',
}
let service: Service
let browser: Awaited<ReturnType<typeof openBrowser>>
let full: StagedOwner
let keyId: string
let token: string
let providerUrl: string
/** What the provider shows: that the browser came. */
const provider = createServer((_request, response) => response.end('Pay here.'))
before(async () => {
  // First, since it fails at once where there is none.
  browser = await openBrowser()
  await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve))
  providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  service = await startService({ payments: stubProvider(providerUrl) })
  full = await stageFullAccount(service, words)
  const [key] = await service.asOwner<{ id: string }>('select id from api_keys where account_id = $1', [full.id])
  keyId = String(key?.id)
  token = (await openOwner(service, full.id)).token
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  await browser?.[Symbol.asyncDispose]()
  provider.close()
})

/** An example for each address with a parameter; several where the page has several faces. */
const examples = (): Record<string, string[]> => ({
  '/account/payments/:id': Object.values(full.payments),
  '/account/receipts/:id': [full.payments.paid],
  '/account/posts/:id': [full.posts.queued, full.posts.published, full.posts.rejected, full.posts.removed],
  '/account/webhooks/:id': [full.webhook],
  '/account/webhooks/:id/delete': [full.webhook],
  '/account/keys/:id': [keyId],
  '/account/keys/:id/revoke': [keyId],
  '/o/:token': ['A'.repeat(43)],
})

/** Every page there is, signed in or not. */
function pathsOf(isSignedIn: boolean): string[] {
  const pages = routes.filter(({ method, needs }) => method === 'GET' && (needs === 'session') === isSignedIn)
  return pages.flatMap(({ path }) => {
    const values = path.includes(':') ? examples()[path] : ['']
    assert.ok(values, `${path} has no example here`)
    return values.map((value) => path.replace(/:\w+/, value))
  })
}

const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 900 }
type Look = { colorScheme: 'light' | 'dark'; viewport: typeof phone }
type Rules = { runOnly?: readonly string[] }

test('on a phone, in light colours, every page is accessible, fits and is quiet', async () => {
  assert.deepEqual(await faultsOfAll({ colorScheme: 'light', viewport: phone }, {}), [])
})

test('on a wide screen, in dark colours, every page can be read, fits and is quiet', async () => {
  // What colours can break. The elements are the same in every look.
  const rules = { runOnly: ['color-contrast', 'link-in-text-block'] }
  assert.deepEqual(await faultsOfAll({ colorScheme: 'dark', viewport: desk }, rules), [])
})

test('without JavaScript, and by keyboard, an owner gets from the overview to the provider', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: phone })
  await signIn(context)
  const page = await context.newPage()
  await page.goto(`${service.accountPageUrl}/account`)
  await page.keyboard.press('Tab')
  assert.equal(await page.locator(':focus').innerText(), 'Skip to the content')
  await page.keyboard.press('Enter')
  const button = page.getByRole('button', { name: /^\$25/ })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${providerUrl}/top-up`)
  await page.goto(`${service.accountPageUrl}/account/money`)
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.waitForURL(/\/account\/webhooks$/)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await context.close()
})

test('the page of a payment looks again by itself until the money is here', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: desk })
  await signIn(context)
  const page = await context.newPage()
  await page.goto(`${service.accountPageUrl}/account/payments/${full.payments.started}`)
  await page.getByText('One moment').waitFor()
  await service.asOwner("update payments set status = 'paid', settled_at = created_at where id = $1", [
    full.payments.started,
  ])
  await page.getByText('Your agent can try again now').waitFor()
  await context.close()
})

test('a receipt is printed without its frame', async () => {
  const context = await browser.newContext({ viewport: desk })
  await signIn(context)
  const page = await context.newPage()
  await page.emulateMedia({ media: 'print' })
  await page.goto(`${service.accountPageUrl}/account/receipts/${full.payments.paid}`)
  assert.ok(await page.getByText(full.payments.paid).isVisible())
  assert.deepEqual(
    await Promise.all(['.sections', '.footer', '.crumbs'].map((part) => page.locator(part).isVisible())),
    [false, false, false],
  )
  await context.close()
})

const signIn = (context: BrowserContext) =>
  context.addCookies([{ name: 'broadside_owner', value: token, url: service.accountPageUrl }])

/** Loads every page there is, first as someone who opened an owner link, then as the owner. */
async function faultsOfAll(look: Look, rules: Rules): Promise<string[]> {
  const context = await browser.newContext(look)
  // Once and for all pages: sending it with each takes longer than running it.
  await context.addInitScript({ content: axe.source })
  const page = await context.newPage()
  const heard: string[] = []
  page.on('console', (message) => {
    if (!message.text().startsWith('Failed to load resource')) heard.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => heard.push(`script: ${error.message}`))
  const faults: string[] = []
  await page.goto((await full.client.getAccount()).body.account_url)
  for (const path of [...pathsOf(false), 'signed in', ...pathsOf(true)]) {
    if (path === 'signed in') await signIn(context)
    else faults.push(...(await faultsOf(page, { path, look, rules })).map((fault) => `${path}: ${fault}`))
    faults.push(...heard.splice(0).map((fault) => `${path}: ${fault}`))
  }
  await context.close()
  return faults
}

async function faultsOf(page: Page, { path, look, rules }: { path: string; look: Look; rules: Rules }) {
  const response = await page.goto(`${service.accountPageUrl}${path}`)
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  const options = JSON.stringify({ ...rules, resultTypes: ['violations'] })
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`)
  return [
    ...(Number(response?.status()) >= 500 ? [`it is a ${response?.status()}`] : []),
    ...(width > look.viewport.width ? [`it is ${width} px wide`] : []),
    ...violations.map(({ id, help, nodes }) => `axe ${id}: ${help} (${nodes.length}): ${nodes[0]?.html}`),
  ]
}
