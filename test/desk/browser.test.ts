// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { kindOfCase } from '../../src/cases/case-kinds.ts'
import { deskRoutes } from '../../src/desk/routes.ts'
import { openBrowser } from '../../tooling/clients/browser.ts'
import { untilRested } from '../../tooling/clients/desk-keyboard.ts'
import { openStaff, type Staff, signInBrowser } from '../../tooling/clients/staff.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { seedCases } from '../../tooling/fixtures/desk-cases.ts'
import { nightly } from '../../tooling/test-length.ts'
import {
  colourRules,
  faultsOf,
  type Look,
  loadSteadily,
  openWatched,
  type Rules,
} from '../support/pages/page-errors.ts'

let service: Service
let browser: Awaited<ReturnType<typeof openBrowser>>
let admin: Staff
let keys: string[]
before(async () => {
  // First, because it fails immediately without a browser.
  browser = await openBrowser()
  service = await startService()
  keys = await seedCases(service, { reviews: 3, reports: 1, appeals: 2, checks: 1, edits: 1 })
  admin = await openStaff(service, { role: 'admin', name: 'Ada Admin' })
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  await browser?.[Symbol.asyncDispose]()
})

const phone: Look = { colorScheme: 'light', viewport: { width: 390, height: 844 } }
const wide: Look = { colorScheme: 'dark', viewport: { width: 1280, height: 900 } }

/** A seeded review, report, appeal, check and edit; the first review is decided afterwards. */
const oneOfEach = [1, 3, 4, 6, 7]

/** An example for each route with a parameter; several if the page has several states. */
const examples = (): Record<string, string[]> => ({
  '/cases/:key': oneOfEach.map((number) => String(keys[number])),
  '/staff/:id/disable': [admin.id],
  '/join/:token': ['A'.repeat(43)],
})

/** Every page, signed in or not. */
function pathsOf(isSignedIn: boolean): string[] {
  const pages = deskRoutes.filter(({ method, needs }) => method === 'GET' && (needs !== 'nothing') === isSignedIn)
  return pages.flatMap(({ path }) => {
    const values = path.includes(':') ? examples()[path] : ['']
    assert.ok(values, `${path} has no example here`)
    return values.map((value) => path.replace(/:\w+/, value))
  })
}

test('on a phone, in light colours, every page of the desk is accessible, fits and logs no errors', async () => {
  assert.deepEqual(await faultsOfAll(phone, {}), [])
})

test(
  'on a wide screen, in dark colours, every page of the desk is readable, fits and logs no errors',
  nightly,
  async () => {
    assert.deepEqual(await faultsOfAll(wide, colourRules), [])
  },
)

/** Loads every page, first signed out, then as an admin who holds some cases and has just decided one. */
async function faultsOfAll(look: Look, rules: Rules): Promise<string[]> {
  const { context, page, heard } = await openWatched(browser, look)
  const faults: string[] = []
  const note = (what: string, found: readonly string[]) => faults.push(...found.map((fault) => `${what}: ${fault}`))
  const lookAt = async (path: string) =>
    note(path, [
      ...(await loadSteadily(page, service.deskUrl + path)),
      ...(await faultsOf(page, look, rules)),
      ...heard.splice(0),
    ])
  for (const path of [...pathsOf(false), '/nowhere']) await lookAt(path)
  await signInBrowser(service, context, admin.token)
  const [review = '', , held = ''] = keys
  for (const key of [review, held]) await admin.post(`/cases/${key}/claim`)
  await admin.post(`/cases/${review}/decide`, { verdict: 'reject', category: 'spam' })
  for (const path of [...pathsOf(true), `/cases/${held}`]) await lookAt(path)
  await untilRested(page)
  for (const key of ['r', '?']) {
    await page.keyboard.press(key)
    note(`the dialog of ${key}`, await faultsOf(page, look, rules))
    await page.keyboard.press('Escape')
  }
  // The time to undo it may be over.
  await service.asOwner('delete from desk_decisions')
  await service.asOwner('delete from desk_claims')
  await context.close()
  return faults
}

/** The keys for a case of each kind. */
const answers: Record<string, string[]> = { review: ['r', '8'], report: ['x', 'd'], appeal: ['d'], check: ['o'] }

const keyOf = (page: Page) => decodeURIComponent(new URL(page.url()).pathname.replace('/cases/', ''))

/** Presses keys, the last of which leads to another page, and waits until that page accepts keys. */
async function pressOn(page: Page, letters: readonly string[]): Promise<void> {
  for (const letter of letters.slice(0, -1)) await page.keyboard.press(letter)
  await Promise.all([page.waitForNavigation(), page.keyboard.press(String(letters.at(-1)))])
  await untilRested(page)
}

test('a reviewer clears the whole queue by keyboard, and undoes one answer', async () => {
  const reviewer = await openStaff(service)
  const { context, page, heard } = await openWatched(browser, wide)
  await signInBrowser(service, context, reviewer.token)
  await page.goto(`${service.deskUrl}/`)
  await page.keyboard.press('?')
  assert.ok(await page.getByRole('heading', { name: 'Keyboard shortcuts' }).isVisible())
  await page.keyboard.press('n')
  await page.keyboard.press('Escape')
  await pressOn(page, ['n'])
  const first = keyOf(page)
  // Dialog letters do nothing on the page, and page letters nothing in the dialog; others belong to the browser.
  for (const key of ['8', 'Alt+s', 'z', 'g', 'g']) await page.keyboard.press(key)
  await page.keyboard.press('b')
  assert.match(await filterOf(page), /blur/)
  await pressOn(page, ['s'])
  assert.notEqual(keyOf(page), first)
  assert.match(await filterOf(page), /blur/, 'the next case is blurred as well')
  await page.keyboard.press('b')
  const second = keyOf(page)
  await pressOn(page, answers[kindOfCase(second) ?? ''] ?? [])
  await pressOn(page, ['u'])
  assert.equal(keyOf(page), second, 'the case is theirs again')
  const decided = new Set<string>()
  while (new URL(page.url()).pathname !== '/') {
    decided.add(keyOf(page))
    assert.ok(decided.size <= keys.length)
    await pressOn(page, answers[kindOfCase(keyOf(page)) ?? ''] ?? [])
  }
  assert.ok(await page.getByText('No cases are available to you right now').isVisible())
  assert.ok((await page.getByRole('button', { name: 'Undo' }).count()) > 0, 'the last ones can still be undone')
  await pressOn(page, ['g', 'q'])
  assert.equal(new URL(page.url()).search, '')
  const rows = await service.asOwner<{ case_key: string }>('select case_key from desk_decisions')
  assert.deepEqual(rows.map(({ case_key }) => case_key).sort(), [...decided].sort())
  assert.deepEqual([...decided, first].sort(), [...keys].sort())
  assert.deepEqual(heard, [])
  await service.asOwner('delete from desk_decisions')
  await context.close()
})

const filterOf = (page: Page) => page.evaluate<string>("getComputedStyle(document.querySelector('.words')).filter")

test('without JavaScript, everything works by hand: start, category, blur, undo', async () => {
  const reviewer = await openStaff(service)
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: phone.viewport })
  await signInBrowser(service, context, reviewer.token)
  const page = await context.newPage()
  const [review = ''] = keys
  await page.goto(`${service.deskUrl}/cases/${review}`)
  await page.getByRole('button', { name: 'Take it' }).click()
  await page.getByLabel('Blur the text').check()
  await page.getByRole('button', { name: 'Reject …' }).click()
  await page.getByRole('button', { name: 'Spam' }).click()
  await page.getByText(/^Rejected: \w+, Spam/).waitFor()
  await page.getByRole('button', { name: 'Undo Rejected' }).click()
  await page.waitForURL(`**/cases/${review}`)
  await page.getByRole('button', { name: 'Skip' }).click()
  await page.waitForURL((url) => !url.pathname.endsWith(review))
  await service.asOwner('delete from desk_claims')
  await context.close()
})

test('an open page keeps its case, says when it has lost it, and counts down the seconds to undo', async () => {
  const reviewer = await openStaff(service)
  const context = await browser.newContext(wide)
  await signInBrowser(service, context, reviewer.token)
  const page = await context.newPage()
  await page.clock.install()
  const [first = '', second = ''] = keys
  for (const key of [first, second]) await reviewer.post(`/cases/${key}/claim`)
  await reviewer.post(`/cases/${first}/decide`, { verdict: 'publish' })
  await page.goto(`${service.deskUrl}/cases/${second}`)
  const undo = page.getByRole('button', { name: 'Undo' })
  assert.ok(await undo.isVisible())
  await page.clock.runFor(11_000)
  assert.ok(!(await undo.isVisible()))
  const renewed = page.waitForResponse((response) => response.url().endsWith('/renew'))
  await page.clock.runFor(45_000)
  assert.equal((await renewed).status(), 200)
  await service.asOwner('delete from desk_claims where case_key = $1', [second])
  await page.clock.runFor(45_000)
  await page.getByText('You no longer hold this case').waitFor()
  assert.ok(!(await page.getByRole('button', { name: 'Publish' }).isVisible()))
  await page.keyboard.press('p')
  await pressOn(page, ['t'])
  assert.ok(await page.getByRole('button', { name: 'Publish' }).isVisible(), 'it is claimed again')
  await context.close()
})

test('an open page with an expired session says so and links to the sign-in', async () => {
  const reviewer = await openStaff(service)
  const context = await browser.newContext(wide)
  await signInBrowser(service, context, reviewer.token)
  const page = await context.newPage()
  await page.clock.install()
  const key = keys[2] ?? ''
  await reviewer.post(`/cases/${key}/claim`)
  await page.goto(`${service.deskUrl}/cases/${key}`)
  await reviewer.post('/sign-out')
  await page.clock.runFor(45_000)
  await page.getByText('Your session has ended').waitFor()
  assert.ok(!(await page.getByText('You no longer hold this case').isVisible()))
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await page.waitForURL('**/sign-in')
  await service.asOwner('delete from desk_claims')
  await context.close()
})

const decidedBy = async (staffId: string) =>
  (await service.asOwner('select case_key from desk_decisions where staff_id = $1', [staffId])).length

test('a second key press or tap that comes too soon does not affect the next case', async () => {
  const reviewer = await openStaff(service)
  const context = await browser.newContext({ ...phone, hasTouch: true })
  await signInBrowser(service, context, reviewer.token)
  const page = await context.newPage()
  // The page's clock is frozen, so that the second one is always too soon.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1_000)
  await page.goto(`${service.deskUrl}/?kind=appeal`)
  await page.getByRole('button', { name: 'Start' }).click()
  const twice = {
    press: async () => page.keyboard.press('d'),
    tap: async () => page.getByRole('button', { name: 'Keep decision' }).tap(),
  }
  for (const [way, act] of Object.entries(twice)) {
    await page.waitForURL('**/cases/appeal:*')
    const first = keyOf(page)
    await page.clock.runFor(600)
    await Promise.all([page.waitForNavigation(), act()])
    assert.notEqual(keyOf(page), first)
    await act()
    for (const key of ['s', 'd', 'o']) await page.keyboard.press(key)
    assert.ok(await page.locator('html[data-rests]').count(), way)
    assert.equal(await decidedBy(reviewer.id), 1, way)
    assert.ok(!(await page.locator('html[data-sent]').count()), way)
    await reviewer.post(`/cases/${first}/undo`)
    await service.asOwner('delete from desk_claims where case_key = $1', [first])
  }
  await service.asOwner('delete from desk_claims')
  await context.close()
})

test('digits work on every keyboard layout, and letter shortcuts can be turned off', async () => {
  await service.asOwner('delete from desk_decisions')
  const reviewer = await openStaff(service)
  const context = await browser.newContext(wide)
  await signInBrowser(service, context, reviewer.token)
  const page = await context.newPage()
  await reviewer.post(`/cases/${keys[1]}/claim`)
  await page.goto(`${service.deskUrl}/cases/${keys[1]}`)
  await untilRested(page)
  await page.keyboard.press('r')
  // A French layout: the digit is in the usual place, but the letter under it differs.
  const french = "document.dispatchEvent(new KeyboardEvent('keydown', { key: '_', code: 'Digit8', bubbles: true }))"
  await Promise.all([page.waitForNavigation(), page.evaluate(french)])
  await page.getByText(/^Rejected: \w+, Spam/).waitFor()
  await untilRested(page)
  const shown = page.url()
  await page.keyboard.press('?')
  await page.getByLabel('Enable shortcuts').uncheck()
  await page.keyboard.press('Escape')
  for (const key of ['s', 'u', 'b', '?']) await page.keyboard.press(key)
  await page.goto(`${service.deskUrl}/decisions`)
  await page.keyboard.press('u')
  await page.goto(shown)
  await page.getByRole('button', { name: 'Keyboard' }).click()
  assert.equal(await page.getByLabel('Enable shortcuts').isChecked(), false, 'it is remembered')
  await page.getByLabel('Enable shortcuts').check()
  await page.keyboard.press('Escape')
  assert.equal(await decidedBy(reviewer.id), 1)
  await pressOn(page, ['u'])
  assert.equal(await decidedBy(reviewer.id), 0)
  await service.asOwner('delete from desk_claims')
  await context.close()
})
