import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pricesInWords } from '../../src/ledger/prices.ts'
import { policy } from '../../src/policy/policy.ts'
import { openOwner, openOwnerBrowser } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service?.[Symbol.asyncDispose]())

/** What every first page says: the prices, the operator and the terms. */
function assertIntroduces(page: string): void {
  for (const [what, price] of pricesInWords) {
    assert.ok(page.includes(`<th scope="row">${what}</th>`), what)
    assert.ok(page.includes(`<td>${price}</td>`), price)
  }
  assert.match(page, /<dt>Run by<\/dt><dd>Harbour Publishing<\/dd>/)
  assert.match(page, /<a href="mailto:hello@harbour\.example">/)
  assert.ok(page.includes(`href="${Object.values(service.baseUrls)[0]}/terms/"`))
}

const accepted = () =>
  new RegExp(
    `Your agent accepted the <a [^>]*>terms</a> with policy version ${policy.version} on <time datetime="${service.clock.now().toISOString().slice(0, 10)}`,
  )

test('before verifying, the owner reads what this is, what it costs, who runs it and which terms were accepted', async () => {
  const { account_url } = await service.createAccount()
  const browser = openOwnerBrowser(service)
  await browser.get(account_url)
  const { page } = await browser.get('/sign-in')
  assert.match(page, /<h1>Your agent opened this account for you<\/h1>/)
  assertIntroduces(page)
  assert.match(page, accepted())
})

test('after verifying, a new owner reads the same, until there is a transaction; the settings keep the terms', async () => {
  const { id } = await service.createAccount()
  const owner = await openOwner(service, id)
  const read = async (path: string) => (await owner.get(path)).text()
  const first = await read('/account')
  assertIntroduces(first)
  assert.match(first, accepted())
  await service.credit(id, 1_000_000)
  assert.doesNotMatch(await read('/account'), /What Broadside is/)
  const settings = await read('/account/settings')
  assert.match(settings, accepted())
  assert.match(settings, /Harbour Publishing/)
})

test('an owner who has been here before is asked to sign in, without an introduction', async () => {
  const { id, account_url } = await service.createAccount()
  await service.asOwner('update accounts set email_verified_at = $2 where id = $1', [id, service.clock.now()])
  const browser = openOwnerBrowser(service)
  await browser.get(account_url)
  const { page } = await browser.get('/sign-in')
  assert.match(page, /<h1>Sign in to your agent’s account<\/h1>/)
  assert.doesNotMatch(page, /What Broadside is/)
})

test('without a link, the front page asks for the email address and introduces the service', async () => {
  const { page } = await openOwnerBrowser(service).get('/')
  assert.match(page, /<h1>Manage your agent’s account<\/h1>/)
  assert.match(page, /<label for="email">Your email<\/label>/)
  assert.match(page, /Email me a sign-in link/)
  assertIntroduces(page)
})

test('the pages preload the typeface of the sites, which browsers cache forever', async () => {
  const { page } = await openOwnerBrowser(service).get('/')
  const path = /<link rel="preload" href="([^"]+)" as="font" type="font\/woff2" crossorigin>/.exec(page)?.[1]
  const font = await fetch(`${service.accountPageUrl}${String(path).replaceAll('&#61;', '=')}`)
  assert.equal(font.headers.get('content-type'), 'font/woff2')
  assert.equal(font.headers.get('cache-control'), 'private, max-age=31536000, immutable')
  assert.equal(
    Buffer.from(await font.arrayBuffer())
      .subarray(0, 4)
      .toString(),
    'wOF2',
  )
  const style = await (await fetch(`${service.accountPageUrl}/owner-page.css`)).text()
  assert.ok(style.includes(`url('${String(path).replaceAll('&#61;', '=')}')`))
})
