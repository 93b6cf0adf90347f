// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { ownerRoutes } from '../../src/owner-page/routes.ts'
import { openBrowser } from '../../tooling/clients/browser.ts'
import { openOwner } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { isWhole, nightly } from '../../tooling/test-length.ts'
import { seedRequest } from '../support/oauth/seed-request.ts'
import { type SeededOwner, seedPopulatedAccount, stubProvider } from '../support/owner-page/populated-account.ts'
import {
  colourRules,
  faultsOf,
  type Look,
  loadSteadily,
  openWatched,
  type Rules,
} from '../support/pages/page-errors.ts'

const words = {
  name: 'The Notices of a Harbour with a Rather Long Name',
  text: 'Averyveryveryveryveryveryveryveryveryverylongwordwithoutaspace of the ferry',
  keyName: 'productionagentwithalongname',
  appeal: 'The ad names its price and its seller.',
}
let service: Service
let browser: Awaited<ReturnType<typeof openBrowser>>
let full: SeededOwner
let keyId: string
let request: string
let token: string
let providerUrl: string
/** The provider's page: shows that the browser arrived. */
const provider = createServer((_request, response) => response.end('Pay here.'))
before(async () => {
  // First, because it fails immediately without a browser.
  browser = await openBrowser()
  await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve))
  providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  service = await startService({ payments: stubProvider(providerUrl) })
  full = await seedPopulatedAccount(service, words)
  const [key] = await service.asOwner<{ id: string }>('select id from api_keys where account_id = $1', [full.id])
  keyId = String(key?.id)
  request = await seedRequest(service)
  token = (await openOwner(service, full.id)).token
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  await browser?.[Symbol.asyncDispose]()
  provider.close()
})

/** An example for each route with a parameter; several if the page has several states. */
const examples = (): Record<string, string[]> => ({
  '/account/payments/:id': Object.values(full.payments),
  '/account/receipts/:id': [full.payments.paid],
  '/account/posts/:id': [
    full.posts.queued,
    full.posts.review,
    full.posts.published,
    full.posts.rejected,
    full.posts.removed,
  ],
  '/account/webhooks/:id': [full.webhook],
  '/account/webhooks/:id/delete': [full.webhook],
  '/account/keys/:id': [keyId],
  '/account/keys/:id/revoke': [keyId],
  '/o/:token': ['A'.repeat(43)],
  '/d/:token': ['A'.repeat(43)],
  '/connect/:request': [request],
})

/** Every page, signed in or not. */
function pathsOf(isSignedIn: boolean): string[] {
  const pages = ownerRoutes.filter(
    ({ method, needs, path }) => method === 'GET' && (needs === 'session') === isSignedIn && !path.endsWith('.csv'),
  )
  const paths = pages.flatMap(({ path }) => {
    const values = path.includes(':') ? examples()[path] : ['']
    assert.ok(values, `${path} has no example here`)
    return values.map((value) => path.replace(/:\w+/, value))
  })
  // The same address asks visitors to sign in, and owners for their consent.
  return isSignedIn ? [...paths, `/connect/${request}`] : paths
}

const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 900 }

test('on a phone, in light colours, every page is accessible, fits and logs no errors', async () => {
  assert.deepEqual(await faultsOfAll({ colorScheme: 'light', viewport: phone }, {}), [])
})

test('on a wide screen, in dark colours, every page is readable, fits and logs no errors', nightly, async () => {
  assert.deepEqual(await faultsOfAll({ colorScheme: 'dark', viewport: desk }, colourRules), [])
})

/** Pages that only a form shows: where the form is, what it sends, and how the response begins. */
type Face = { path: string; action?: string; fields?: Record<string, string>; shows: string }

const visitorFaces: Face[] = [
  { path: '/sign-in', action: '/sign-in/code', shows: '200 Enter the code' },
  { path: '/sign-in', fields: { code: '12' }, shows: '422 Enter the code' },
]
const ownerFaces: Face[] = [
  { path: '/account/keys', fields: { name: words.keyName, cap: '2.50' }, shows: '200 Your new key' },
  { path: '/account/keys', fields: { name: ' ', cap: 'a lot' }, shows: '422 Keys' },
  { path: '/account/email', fields: { email: 'another@people.example' }, shows: '200 Your email address' },
  { path: '/account/email', action: '/account/email/code', fields: { code: '12' }, shows: '422 Your email address' },
  { path: '/account/deletion', fields: { word: 'yes' }, shows: '422 Delete this account' },
  {
    path: '/account/deletion',
    fields: { csrf: 'old' },
    shows: '403 This form has expired or came from another site',
  },
]
const usedUp: Face = { path: '/sign-in', action: '/sign-in/code', shows: '429 Too many emails for now' }

test('the response to a form is as accessible as the form', async () => {
  const look: Look = { colorScheme: 'light', viewport: phone }
  const { context, page, heard } = await openPage(look)
  const faults: string[] = []
  const lookAt = async (faces: readonly Face[]) => {
    for (const face of faces) {
      assert.equal(await send(page, face), face.shows)
      const found = [...(await faultsOf(page, look, {})), ...heard.splice(0)]
      if (isWhole) {
        await page.emulateMedia({ colorScheme: 'dark' })
        found.push(...(await faultsOf(page, look, colourRules)))
        await page.emulateMedia({ colorScheme: 'light' })
      }
      faults.push(...found.map((fault) => `${face.shows}: ${fault}`))
    }
  }
  await lookAt(visitorFaces)
  await signIn(context)
  await lookAt(ownerFaces)
  await context.clearCookies({ name: 'broadside_owner' })
  await service.asOwner(
    `insert into owner_codes (account_id, purpose, asked_by, email, key_id, created_at, expires_at)
     select id, 'sign_in', sha256('x'), email, 'x', $2, $2 from accounts, generate_series(1, 20) where id = $1`,
    [full.id, service.clock.now()],
  )
  await lookAt([usedUp])
  await context.close()
  assert.deepEqual(faults, [])
})

test('without JavaScript, by keyboard, an owner gets from the overview to the provider', async () => {
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

test('the payment page refreshes itself until the money has arrived', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: desk })
  await signIn(context)
  const page = await context.newPage()
  // An owner who looks for a card first spends minutes at the provider.
  await service.asOwner("update payments set created_at = created_at - interval '5 minutes' where id = $1", [
    full.payments.started,
  ])
  await page.goto(urlOf(`/account/payments/${full.payments.started}`))
  await page.getByText('One moment').waitFor()
  await service.asOwner("update payments set status = 'paid', settled_at = created_at where id = $1", [
    full.payments.started,
  ])
  await page.getByRole('heading', { name: '$10.00 has arrived' }).waitFor()
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

const urlOf = (path: string) => `${service.accountPageUrl}${path}`

/** A page for a visitor with an owner link. */
async function openPage(look: Look) {
  const watched = await openWatched(browser, look)
  await watched.page.goto((await full.client.getAccount()).body.account_url)
  return watched
}

/** Loads every page, first as a visitor with an owner link, then as the owner. */
async function faultsOfAll(look: Look, rules: Rules): Promise<string[]> {
  const { context, page, heard } = await openPage(look)
  const faults: string[] = []
  for (const path of [...pathsOf(false), '/nowhere', 'signed in', ...pathsOf(true)]) {
    if (path === 'signed in') await signIn(context)
    else {
      const found = [
        ...(await loadSteadily(page, urlOf(path))),
        ...(await faultsOf(page, look, rules)),
        ...heard.splice(0),
      ]
      faults.push(...found.map((fault) => `${path}: ${fault}`))
    }
  }
  await context.close()
  return faults
}

/** Fills in and submits a form, bypassing the browser's own validation. */
async function send(page: Page, { path, action = path, fields = {} }: Face) {
  const form = `form[action="${action}"]`
  // The current page may already contain the form.
  if ((await page.locator(form).count()) === 0) await page.goto(urlOf(path))
  const filling = `
    const form = document.querySelector('${form}')
    for (const [name, value] of Object.entries(${JSON.stringify(fields)})) form.elements.namedItem(name).value = value
    form.submit()`
  const [response] = await Promise.all([page.waitForNavigation(), page.evaluate(filling)])
  return `${response?.status()} ${await page.locator('h1').innerText()}`
}
