import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../../tooling/clients/browser.ts'
import { type Mailbox, openMailbox } from '../../../tooling/clients/owner.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { makeCertificates, pickReceiverAddress, startReceiver } from '../../../tooling/network/https-receiver.ts'
import { startProvider } from '../../../tooling/services/payment-provider/start-for-tests.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { openMcpApp } from '../../support/oauth/mcp-app.ts'

const stack = new AsyncDisposableStack()
const documentUrl = 'https://assistant.example/oauth/client.json'
const redirectUrl = 'https://assistant.example/oauth/callback'
let service: Service
let mailbox: Mailbox
let page: Page
let double: Awaited<ReturnType<typeof startProvider>>['double']

before(async () => {
  mailbox = stack.use(await openMailbox())
  const address = pickReceiverAddress()
  const { ca, key, cert } = makeCertificates(['assistant.example'])
  const metadata = { client_id: documentUrl, client_name: 'Harbour assistant', redirect_uris: [redirectUrl] }
  stack.use(
    await startReceiver({ address, key, cert }, (_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata))
    }),
  )
  const provider = await startProvider(stack)
  double = provider.double
  service = stack.use(
    await startService({
      judges: true,
      settings: { SMTP_URL: mailbox.smtpUrl, ...provider.settings },
      receivers: { zone: { 'assistant.example': { a: [address] } }, certificateAuthorities: ca },
    }),
  )
  double.webhooks.sendTo(`${service.accountPageUrl}/payments/events`)
  const browser = stack.use(await openBrowser())
  page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
})
after(() => stack.disposeAsync())

/** `OWNER_SHOTS=/tmp/shots node scripts/test.ts test/journeys/accounts/connect-app.test.ts` saves screenshots. */
async function shoot(name: string) {
  const folder = process.env['OWNER_SHOTS']
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

const click = (name: string | RegExp) => page.getByRole('button', { name }).click()
const read = (text: string | RegExp) => page.getByRole('heading', { name: text }).first().waitFor()

/** From the app's link to the consent page: a person without an account proves a mailbox and names the author. */
async function signUp(email: string, way: string) {
  await read('Sign in or create an account')
  await shoot(`${way}-1-email`)
  await page.getByLabel('Your email').fill(email)
  await click('Email me a code')
  await read('Enter the code')
  await waitFor(async () => (await mailbox.read(email)).length > 0, 'the code')
  await shoot(`${way}-2-code`)
  await page.getByLabel('Code').fill(await mailbox.codeFor(email))
  await click('Continue')
  await read('Create your account')
  await page.getByLabel('Author name').fill('Harbour Notices')
  await page.getByRole('checkbox').check()
  await shoot(`${way}-3-account`)
  await click('Create the account')
  await read(/Connect “Harbour assistant”/)
}

/** Pays five dollars on the provider's page and comes back to the consent page. */
async function topUp(way: string) {
  await shoot(`${way}-4-consent`)
  await click(/^\$5 /)
  await page.waitForURL(`${double.checkoutOrigin}/**`)
  await page.locator('button[value=pay]').click()
  await read('$5.00 has arrived')
  await shoot(`${way}-5-arrived`)
  await page.getByRole('link', { name: 'Continue' }).click()
  await read(/Connect “Harbour assistant”/)
}

suite('a person without an account says “publish this” to a hosted agent', () => {
  for (const [way, clientMetadataUrl] of [
    ['metadata', documentUrl],
    ['registration', undefined],
  ] as const)
    test(`whose app has ${clientMetadataUrl ? 'a metadata document' : 'to register itself'}`, async (context) => {
      const begun = performance.now()
      await page.context().clearCookies()
      let pages = 0
      const count = () => void pages++
      page.on('framenavigated', count)
      const callback = Promise.withResolvers<URL>()
      await page.route(`${redirectUrl}**`, (route) => {
        callback.resolve(new URL(route.request().url()))
        return route.fulfill({ body: 'Connected. You can close this page.' })
      })
      const app = openMcpApp({
        url: `${service.accountPageUrl}/mcp`,
        redirectUrl,
        ...(clientMetadataUrl && { clientMetadataUrl }),
      })
      await page.goto(String(await app.start()))
      await signUp(`${way}@example.com`, way)
      assert.equal(await page.getByText('verified', { exact: true }).count(), clientMetadataUrl ? 1 : 0)
      await topUp(way)
      await page.getByRole('radio', { name: /Publish without asking/ }).check()
      await shoot(`${way}-6-consent`)
      await click('Connect')
      const client = await app.finish(await callback.promise)
      page.off('framenavigated', count)
      const text = `The ${way} ferry leaves at eight tomorrow, because the tide is low in the morning.`
      const submitted = await client.callTool({ name: 'publish_post', arguments: { kind: 'message', text } })
      const { id } = submitted.structuredContent as { id: string }
      await service.settle()
      const read = await client.callTool({ name: 'get_post', arguments: { id } })
      const { status, url } = read.structuredContent as { status: string; url: string }
      assert.equal(status, 'published', JSON.stringify(read.structuredContent))
      await waitFor(async () => (await fetch(url)).status === 200, 'the page')
      const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
      context.diagnostic(`${way}: ${pages} pages, ${seconds} s from the 401 to the published post`)
      await page.unrouteAll()
    })
})

test('the owner sees the app among the keys, and disconnects it', async () => {
  await page.goto(`${service.accountPageUrl}/account/keys`)
  await page.getByRole('link', { name: 'Harbour assistant', exact: true }).waitFor()
  await shoot('keys')
  await page.getByRole('link', { name: /^Disconnect/ }).click()
  await read('Disconnect “Harbour assistant”?')
  await shoot('disconnect')
  await click('Disconnect the app')
  await read('Keys')
  assert.equal(await page.getByRole('link', { name: 'Harbour assistant', exact: true }).count(), 0)
})
