import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HtmlValidate, StaticConfigLoader } from 'html-validate'
import { newId } from '../../src/platform/identifiers.ts'
import { ProviderError } from '../../src/platform/payments/provider.ts'
import { type Owner, openOwner } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { openOutsideTransaction } from '../support/owner-page/outside-transaction.ts'
import {
  type SeededOwner,
  seedPopulatedAccount,
  seedTransfer,
  stubProvider,
} from '../support/owner-page/populated-account.ts'
import { htmlRules } from '../support/pages/valid-formats.ts'

const hostile = {
  name: '<script>alert("name")</script>',
  text: '</title><svg onload=alert(1)> the ferry',
  keyName: '"><img src=x onerror=alert(2)>',
  appeal: '</textarea><script>alert(3)</script>',
}
const provider = stubProvider()
let service: Service
let full: SeededOwner
let owner: Owner
before(async () => {
  service = await startService({ payments: provider })
  full = await seedPopulatedAccount(service, hostile)
  owner = await openOwner(service, full.id)
})
after(() => service?.[Symbol.asyncDispose]())

const emptyPaths = [
  '/account',
  '/account/money',
  '/account/charges',
  '/account/posts',
  '/account/drafts',
  '/account/webhooks',
  '/account/settings',
  '/account/refund',
  '/account/card',
]
const pathsOf = ({ posts, payments, webhook }: SeededOwner) => [
  ...Object.values(posts).map((id) => `/account/posts/${id}`),
  ...Object.values(payments).map((id) => `/account/payments/${id}`),
  `/account/receipts/${payments.paid}`,
  `/account/webhooks/${webhook}`,
  `/account/webhooks/${webhook}/delete`,
]

const validator = new HtmlValidate(new StaticConfigLoader(htmlRules))

function assertValid(page: string, path: string): void {
  const { results } = validator.validateStringSync(page)
  const faults = results.flatMap(({ messages }) =>
    messages.map(({ line, ruleId, message }) => `${line} ${ruleId} ${message}`),
  )
  assert.deepEqual(faults, [], path)
}

/** The page, with the checks for every page. */
async function read(whose: Owner, path: string, status = 200): Promise<string> {
  const response = await whose.get(path)
  const page = await response.text()
  assert.equal(response.status, status, path)
  const csp = response.headers.get('content-security-policy') ?? ''
  assert.doesNotMatch(csp, /unsafe/)
  assert.match(csp, /default-src 'none'/)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.doesNotMatch(page, / style=|<style| on\w+="/, path)
  return page
}

test('every page of an active account is valid, and shows user text as text', async () => {
  for (const path of [...emptyPaths, '/account/card/remove', ...pathsOf(full)]) {
    const page = await read(owner, path)
    assertValid(page, path)
    assert.doesNotMatch(page, /<svg onload|<img|alert\(["']name|<script>|<\/textarea><script/, path)
    assert.match(page, /&#60;script&#62;alert\(&#34;name/, `${path} says whose it is`)
    assert.equal(page.match(/aria-current="page"/g)?.length, 1, path)
  }
})

test('every page of a new account is valid, and says what will appear there', async () => {
  const other = await openOwner(service, (await service.createAccount()).id)
  for (const path of emptyPaths) assertValid(await read(other, path), path)
  assert.match(await read(other, '/account'), /This is not enough for a post/)
})

test('another account’s object returns 404, like one that never existed', async () => {
  const stranger = await openOwner(service, (await service.createAccount()).id)
  const never = newId('post', service.clock.now())
  for (const path of [...pathsOf(full), `/account/posts/${never}`, '/account/posts/none', '/account/receipts/%2e'])
    assert.match(await read(stranger, path, 404), /This page does not exist or belongs to another account/, path)
  const { posts, webhook } = full
  assert.equal((await stranger.post(`/account/posts/${posts.rejected}/appeal`, { message: 'Mine?' })).status, 404)
  assert.equal((await stranger.post(`/account/webhooks/${webhook}/delete`)).status, 404)
  assert.equal((await full.client.listWebhooks()).body.data.length, 1)
})

test('the overview shows urgent items first, and the spending by day', async () => {
  const page = await read(owner, '/account')
  const order = [
    '$0.25 is owed',
    'Your agent asked to delete',
    'The last automatic recharge failed',
    'id="balance"',
    'id="top-up"',
  ]
  const places = order.map((words) => page.indexOf(words))
  assert.ok(
    places.every((place, index) => place > (places[index - 1] ?? -1)),
    String(places),
  )
  const [, shown, folded] = page.split('<table class="spending">')
  assert.equal(shown?.match(/<th scope="row">/g)?.length, 8, 'the sum and seven days')
  assert.ok((folded?.match(/<th scope="row">/g)?.length ?? 0) > 10)
})

test('a top-up leads to the provider, or to the payment’s own page for manual payments', async () => {
  const answer = await owner.post('/account/top-up', { amount: '10000000' })
  assert.equal(answer.status, 303)
  assert.equal(answer.headers.get('location'), 'https://pay.example/top-up')
  assert.match(answer.headers.get('content-security-policy') ?? '', /form-action 'self' https:\/\/pay\.example;/)
  assert.equal((await owner.post('/account/top-up', { amount: '10000001' })).status, 422)

  await using manual = await openOutsideTransaction(service, owner)
  const begun = await manual.send('POST', '/account/top-up', { amount: '5000000' })
  const path = String(begun.headers['location'])
  assert.match(path, /^\/account\/payments\/pay_/)
  const page = (await manual.send('GET', path)).body
  assert.match(page, /Send gold\./)
  assert.ok(page.includes(`value="${path.split('/').at(-1)}"`))
  const ofCards = /Add a card|to the card|A card refund|5 to 10 days|your card and/
  for (const other of ['/account/money', '/account/refund', '/goodbye'])
    assert.doesNotMatch((await manual.send('GET', other)).body, ofCards, other)
})

test('the payment page polls while it is open, and stops after a while', async () => {
  const path = `/account/payments/${full.payments.started}`
  service.clock.setOffset(300_000)
  const back = await owner.get(path)
  service.clock.setOffset(0)
  assert.equal(back.headers.get('refresh'), `2; url=${path}?looks=1`, 'however long its owner was at the provider')
  assert.equal((await owner.get(`/account/payments/${full.payments.paid}`)).headers.get('refresh'), null)
  const other = await openOwner(service, (await service.createAccount()).id)
  assert.equal((await other.get('/account/card')).headers.get('refresh'), '2; url=/account/card?looks=1')
  assert.equal((await other.get('/account/card?looks=30')).headers.get('refresh'), null)
  const later = await owner.get(`${path}?looks=30`)
  assert.equal(later.headers.get('refresh'), null)
  assert.match(await later.text(), /longer than usual/)
})

test('a declined card is mentioned only if it turned auto-recharge off', async () => {
  const { id } = await service.createAccount()
  const whose = await openOwner(service, id)
  const after = async (failures: number) => {
    await service.asOwner('update accounts set recharge_failures = $2 where id = $1', [id, failures])
    return (await read(whose, '/account')).includes('Auto-recharge was turned off')
  }
  assert.deepEqual([await after(2), await after(3)], [false, true])
})

test('refunded amounts do not count as spending', async () => {
  const { id } = await service.createCustomer()
  const whose = await openOwner(service, id)
  const book = seedTransfer(service, { accountId: id })
  await book(0, ['search', 'prepaid', 'revenue', 10_000, 'search/first'])
  assert.match(await read(whose, '/account'), /Spending, last 7 days/, 'a new account')
  await book(0, ['refund', 'refunds', 'prepaid', 10_000, 'search/first'])
  await service.asOwner("update accounts set created_at = created_at - interval '60 days' where id = $1", [id])
  const subject = newId('post', service.clock.now())
  await book(40, ['search', 'prepaid', 'revenue', 70_000, `${subject}/old`])
  await book(3, ['post', 'prepaid', 'revenue', 20_000, subject])
  await book(2, ['penalty', 'prepaid', 'penalties', 180_000, subject])
  await book(1, ['refund', 'refunds', 'prepaid', 20_000, subject])
  await book(1, ['penalty_return', 'penalties', 'prepaid', 180_000, subject])
  await book(1, ['refund', 'refunds', 'prepaid', 70_000, `${subject}/old`])
  assert.match(await read(whose, '/account'), /No spending in the last 30 days/)
  await book(3, ['search', 'prepaid', 'revenue', 30_000, `${subject}/new`])
  assert.match(await read(whose, '/account'), /<th scope="row">30 days<\/th><td class="amount">\$0\.03</)
})

test('when the provider does not respond, the page says that nothing was charged', async () => {
  const { startTopUp, removeCard } = provider
  provider.startTopUp = async () => {
    throw new ProviderError('unreachable')
  }
  const answer = await owner.post('/account/top-up', { amount: '5000000' })
  provider.startTopUp = startTopUp
  assert.equal(answer.status, 502)
  assert.match(await answer.text(), /You were not charged.*Try again in a minute/)
  provider.removeCard = async () => {
    throw new ProviderError('refused')
  }
  const removal = await (await owner.post('/account/card/remove')).text()
  provider.removeCard = removeCard
  assert.match(removal, /Auto-recharge is off\. The card may still be on file\. A retry will not help/)
})

test('errors in the choice of auto-recharge are shown at their field', async () => {
  const choice = { enabled: 'on', threshold: '10000000', amount: '5000000', cap: '25000000' }
  const refused = await owner.post('/account/auto-recharge', choice)
  const page = await refused.text()
  assert.equal(refused.status, 422)
  assert.match(page, /aria-invalid="true" aria-describedby="amount-error"/)
  assert.match(page, /id="amount-error">It must be at least the balance/)
  assert.equal((await owner.post('/account/auto-recharge', { ...choice, amount: '50000000' })).status, 422)
})

test('unused paid balance is refunded, and leaves the agent’s balance immediately', async () => {
  const account = await seedPopulatedAccount(service, hostile)
  const whose = await openOwner(service, account.id)
  await service.credit(account.id, 1_000_000)
  const before = (await account.client.getAccount()).body.balance_micros
  assert.match(await read(whose, '/account/refund'), /Refund \$8\.50\?/)
  const refused = await whose.post('/account/refund', { amount_micros: '3500000' })
  assert.equal(refused.status, 409, 'a payment of five dollars arrived after the form was opened')
  assert.match(await refused.text(), /This request refunded nothing.*Refund \$8\.50/s)
  assert.equal((await whose.post('/account/refund', { amount_micros: '8500000' })).status, 303)
  assert.equal((await account.client.getAccount()).body.balance_micros, before - 8_500_000)
  assert.match(await read(whose, '/account/refund'), /No refundable balance/)
  assert.match(await read(whose, '/account/money'), /\$1\.50 refunded.*\$8\.50 being refunded/s)
  assert.match(
    await read(whose, `/account/receipts/${account.payments.paid}`),
    /Refunded.*1\.50.*Being refunded.*8\.50/s,
  )
})

test('a rejection can be appealed once, with a text', async () => {
  const id = full.posts.rejected
  const path = `/account/posts/${id}`
  const told = await read(owner, path)
  assert.match(told, /Spam.*not for reach\. Abuse costs.*How to fix it\.<\/strong> Say what you offer/s)
  assert.match(told, new RegExp(`Decided by the model · <a href="${service.baseUrls['event']}/policy/#spam">Policy `))
  assert.match(told, new RegExp(`${service.baseUrls['event']}/v1/posts/${id}/appeal`))
  const blank = await owner.post(`${path}/appeal`, { message: ' ' })
  assert.equal(blank.status, 422)
  assert.match(await blank.text(), /aria-describedby="message-error message-hint"/)
  assert.equal((await owner.post(`${path}/appeal`, { message: 'It names its source.' })).status, 303)
  const { body } = await service.client(full.api_key, 'event').getPost(id)
  assert.equal('rejection' in body && body.rejection?.appeal?.status, 'open')
  assert.equal((await owner.post(`${path}/appeal`, { message: 'Again.' })).status, 303)
  const page = await read(owner, path)
  assert.match(page, /It names its source/)
  assert.doesNotMatch(page, /Again\.|Send the appeal/)
  const logged = await service.asOwner("select * from audit_log where action = 'owner.appeal'")
  assert.equal(logged.length, 1)
  assert.doesNotMatch(JSON.stringify(logged), /names its source/, 'the log has only identifiers')
})

test('the list of charges continues on the next page without a gap or a repeat', async () => {
  const account = await service.createCustomer()
  const whose = await openOwner(service, account.id)
  for (let count = 0; count < 119; count++) await service.credit(account.id, 1_000_000 + count)
  const seen: string[] = []
  for (let path: string | undefined = '/account/charges'; path; ) {
    const page: string = await read(whose, path)
    seen.push(...[...page.matchAll(/<span>\+([^<]+)<\/span>/g)].map(([, amount = '']) => amount))
    path = /href="([^"]+)" rel="next"/.exec(page)?.[1]
  }
  assert.equal(seen.length, 120)
  assert.equal(new Set(seen).size, 120)
})
