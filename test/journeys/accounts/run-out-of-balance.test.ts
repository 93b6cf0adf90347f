import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import { debit } from '../../../src/ledger/deposits.ts'
import { openBrowser } from '../../../tooling/clients/browser.ts'
import { type Mailbox, openMailbox } from '../../../tooling/clients/owner.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { startProvider } from '../../../tooling/services/payment-provider/start-for-tests.ts'
import { waitFor } from '../../../tooling/services/state.ts'

/** From the link to the money: sign-in, code, account, provider, arrived, and a redirect or two in between. */
const mostPages = 8

const stack = new AsyncDisposableStack()
let service: Service
let mailbox: Mailbox
let double: Awaited<ReturnType<typeof startProvider>>['double']
let page: Page

before(async () => {
  mailbox = stack.use(await openMailbox())
  const provider = await startProvider(stack)
  double = provider.double
  service = stack.use(
    await startService({ judges: true, settings: { SMTP_URL: mailbox.smtpUrl, ...provider.settings } }),
  )
  double.webhooks.sendTo(`${service.accountPageUrl}/payments/events`)
  const browser = stack.use(await openBrowser())
  page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
})
after(() => stack.disposeAsync())

/** `OWNER_SHOTS=/tmp/shots npm test -- test/journeys/accounts/run-out-of-balance.test.ts` saves screenshots. */
async function shoot(name: string) {
  const folder = process.env['OWNER_SHOTS']
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

let agent: Awaited<ReturnType<Service['createAccount']>>
const words = 'amber basalt cedar delta ember fjord glacier harbour island juniper kelp lagoon meadow'.split(' ')
const newText = () => `Notice ${crypto.randomUUID()}: ${words.toSorted(() => Math.random() - 0.5).join(' ')}.`
const publish = () => agent.client.submitPost({ text: newText() })
const readAccount = async () => (await agent.client.getAccount()).body
const checkouts = () => double.list('checkout.session')
const charges = () => double.list('payment_intent').filter(({ status }) => status === 'succeeded')
const click = (name: string | RegExp) => page.getByRole('button', { name }).click()
const read = (text: string | RegExp) => page.getByRole('heading', { name: text }).first().waitFor()

async function signIn(accountUrl: string) {
  await page.goto(accountUrl)
  await shoot('1-whose-account')
  await click('Email me a code')
  await read('Enter the code')
  await waitFor(async () => (await mailbox.read('owner@example.com')).length > 0, 'the code')
  await shoot('2-code')
  await page.getByRole('textbox').fill(await mailbox.codeFor('owner@example.com'))
  await click('Sign in')
}

test('an agent without balance passes on a link, and a minute later its retry with the same key succeeds', async (context) => {
  agent = await service.createAccount()
  const [body, options] = [{ text: newText() }, { idempotencyKey: 'run-out-of-balance-1' }]
  const refused = await agent.client.submitPost(body, {}, options).catch((error) => error)
  assert.ok(isProblem(refused, 'insufficient_balance'))
  assert.equal(refused.document.for_human, true)
  let pages = 0
  const count = () => void pages++
  page.on('framenavigated', count)
  await signIn(String(refused.accountUrl))
  await read(/balance/i)
  assert.equal(new URL(page.url()).pathname, '/account', 'the token has left the address bar')
  await shoot('3-account')
  await click('Keep')
  await click(/^\$5 /)
  await page.waitForURL(`${double.checkoutOrigin}/**`)
  await shoot('4-provider')
  await page.locator('button[value=pay]').click()
  await read('$5.00 has arrived')
  page.off('framenavigated', count)
  await shoot('5-arrived')
  const accepted = await agent.client.submitPost(body, {}, options)
  assert.equal(accepted.status, 202)
  assert.equal(accepted.headers.get('idempotent-replayed'), null)
  const { balance_micros, email_verified } = await readAccount()
  assert.deepEqual({ balance_micros, email_verified }, { balance_micros: 4_980_000, email_verified: true })
  context.diagnostic(`from the 402 to the money: ${pages} pages`)
  assert.ok(pages <= mostPages, `${pages} pages`)
})

test('a declined card costs nothing, and another one on the same page pays once', async () => {
  await page.goto(`${service.accountPageUrl}/account`)
  await click(/^\$10 /)
  await page.locator('button[value=decline]').click()
  await page.getByRole('alert').waitFor()
  await shoot('6-declined')
  await service.settle()
  assert.equal((await readAccount()).balance_micros, 4_980_000)
  await page.locator('button[value=pay]').click()
  await read('$10.00 has arrived')
  assert.equal((await readAccount()).balance_micros, 14_980_000)
})

test('if the provider reports late, the page waits and shows the money when it arrives', async () => {
  await page.goto(`${service.accountPageUrl}/account`)
  double.webhooks.hold()
  await click(/^\$5 /)
  await page.locator('button[value=pay]').click()
  await read('The payment is being confirmed')
  await shoot('7-being-confirmed')
  assert.equal((await readAccount()).balance_micros, 14_980_000, 'the browser’s return moves no money')
  await double.webhooks.release({ reverse: true })
  await read('$5.00 has arrived')
  assert.equal((await readAccount()).balance_micros, 19_980_000)
})

test('if the provider reports twice, and before the browser returns, the money is booked once', async () => {
  await page.goto(`${service.accountPageUrl}/account`)
  await click(/^\$5 /)
  await page.waitForURL(`${double.checkoutOrigin}/**`)
  double.pay(String(checkouts()[0]?.id))
  await double.webhooks.settled()
  await service.settle()
  assert.equal((await readAccount()).balance_micros, 24_980_000)
  for (const { id } of double.webhooks.list()) double.webhooks.deliverAgain(id)
  await double.webhooks.settled()
  await service.settle()
  await page.reload()
  await page.getByRole('link', { name: 'Go back' }).click()
  await read('$5.00 has arrived')
  assert.equal((await readAccount()).balance_micros, 24_980_000)
})

test('with a saved card and auto-recharge on, a low balance is recharged once', async () => {
  await page.goto(`${service.accountPageUrl}/account/money`)
  await click('Add a card')
  await page.locator('button[value="4242"]').click()
  await service.settle()
  await page.goto(`${service.accountPageUrl}/account/money`)
  await page.getByText(/4242/).first().waitFor()
  await shoot('8-card')
  const { card_on_file } = await readAccount()
  assert.equal(card_on_file, true)
  await page.getByLabel('On', { exact: true }).check()
  await page.getByLabel('When the balance is below').selectOption('$1')
  await page.getByLabel('Charge the card').selectOption('$10')
  await click('Save')
  await shoot('9-auto-recharge')
  assert.deepEqual((await readAccount()).auto_recharge, {
    enabled: true,
    threshold_micros: 1_000_000,
    amount_micros: 10_000_000,
  })
  const before = charges().length
  await service.asOperator((tx) =>
    debit(tx, { accountId: agent.id, amountMicros: 23_940_000, subject: 'test:fall', at: service.clock.now() }),
  )
  await Promise.all(Array.from({ length: 5 }, publish))
  await service.settle()
  assert.equal(charges().length, before + 1)
  assert.equal((await readAccount()).balance_micros, 10_940_000)
})
