// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openBrowser } from '../../tooling/clients/browser.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { isWhole } from '../../tooling/test-length.ts'
import { balanceOf, createAuthor, submitDraftOf } from '../support/drafts/draft-fixture.ts'
import { seedDraftLink } from '../support/drafts/seed-draft.ts'
import { faultsOf, type Look, openWatched } from '../support/pages/page-errors.ts'

const price = 20_000
const phone: Look = { colorScheme: 'light', viewport: { width: 390, height: 844 } }

let browser: Awaited<ReturnType<typeof openBrowser>>
let service: Service
before(async () => {
  browser = await openBrowser()
  service = await startService({ judges: true })
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  await browser?.[Symbol.asyncDispose]()
})

test('on a phone without JavaScript, an emailed link leads an owner through 12 drafts: 8 approved, 4 declined', async () => {
  const author = await createAuthor(service, 10_000_000)
  for (let count = 0; count < 12; count++) await submitDraftOf(author.waiting)
  const token = await seedDraftLink(service, author.id)
  const context = await browser.newContext({ ...phone, javaScriptEnabled: false, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await page.goto(`${service.accountPageUrl}/d/${token}`)
  assert.equal(await page.getByRole('checkbox').count(), 12)
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'it fits the screen')
  // One tap.
  await page.getByRole('button', { name: 'Approve', exact: true }).first().tap()
  await page.getByText('1 draft approved.').waitFor()
  for (const box of (await page.getByRole('checkbox').all()).slice(0, 7)) await box.tap()
  const approve = page.getByRole('button', { name: 'Approve selected' })
  const size = await approve.boundingBox()
  assert.ok(size && size.height >= 44, 'the button is large enough for a thumb')
  assert.ok(size.y + size.height <= 844, 'the button is in view without scrolling')
  await approve.tap()
  await page.getByText('7 drafts approved.').waitFor()
  await page.getByRole('link', { name: 'Select all' }).tap()
  await page.getByRole('button', { name: 'Decline selected' }).tap()
  await page.getByText('4 drafts declined.').waitFor()
  assert.equal(await page.getByRole('checkbox').count(), 0)
  await context.close()
  await service.settle()
  const rows = await service.asOwner(
    'select state, count(*)::int from drafts where account_id = $1 group by 1 order by 1',
    [author.id],
  )
  assert.deepEqual(rows, [
    { state: 'submitted', count: 8 },
    { state: 'declined', count: 4 },
  ])
  assert.equal(await balanceOf(author), 10_000_000 - 8 * price)
})

test('the page of an emailed link is accessible and fits a phone, in light and dark colours', async () => {
  const author = await createAuthor(service, price)
  const publishAt = new Date(service.clock.now().getTime() + 86_400_000)
  await submitDraftOf(author.waiting, { text: `Averyveryvery${'very'.repeat(20)}longword of the ferry` })
  await submitDraftOf(author.waiting, { publishAt })
  await submitDraftOf(author.client, { publishAt })
  const token = await seedDraftLink(service, author.id)
  for (const colorScheme of isWhole ? (['light', 'dark'] as const) : (['dark'] as const)) {
    const look: Look = { ...phone, colorScheme }
    const { context, page, heard } = await openWatched(browser, look)
    await page.goto(`${service.accountPageUrl}/d/${token}`)
    assert.deepEqual([...(await faultsOf(page, look, {})), ...heard], [], colorScheme)
    await context.close()
  }
})
