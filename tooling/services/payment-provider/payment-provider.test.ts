import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { repoDir } from '../state.ts'
import { providerKey, startProvider } from './start-for-tests.ts'
import { subscribedEvents } from './webhooks.ts'

const stack = new AsyncDisposableStack()
after(() => stack.disposeAsync())

/** Receives the provider's webhooks and responds as configured. */
const calls: { id: string; type: string; signature: string }[] = []
let refusals = 0
const receiver = createServer(async (request, response) => {
  const { id, type } = JSON.parse(await text(request)) as { id: string; type: string }
  const isRefused = refusals > 0
  if (isRefused) refusals -= 1
  else calls.push({ id, type, signature: String(request.headers['stripe-signature']) })
  response.writeHead(isRefused ? 503 : 200).end()
})
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', () => resolve(undefined)))
stack.defer(() => {
  receiver.closeAllConnections()
  receiver.close()
})
const eventsUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/payments/events`
const { double } = await startProvider(stack, { eventsUrl })

const api = async (method: string, path: string, fields: Record<string, string> = {}, headers = {}) => {
  const response = await fetch(`${double.apiUrl}/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${providerKey}`, ...headers },
    ...(method === 'POST' && { body: new URLSearchParams(fields) }),
  })
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}
const urls = {
  success_url: 'http://owner.example/paid?s={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://owner.example/b?a=1',
}
const item = 'line_items[0][price_data]'
const newSession = async (mode: 'payment' | 'setup') => {
  const { body: customer } = await api('POST', 'customers')
  const price = { [`${item}[currency]`]: 'usd', [`${item}[unit_amount]`]: '1000' }
  const paid = { 'line_items[0][quantity]': '1', ...price, [`${item}[product_data][name]`]: 'Balance' }
  const common = { mode, customer: customer.id, 'allowed_payment_method_types[0]': 'card', ...urls }
  return (await api('POST', 'checkout/sessions', { ...common, ...(mode === 'payment' ? paid : {}) })).body
}
const press = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
const control = (path: string) => fetch(`${double.apiUrl}/double/${path}`, { method: 'POST' })
const typesOf = () => calls.splice(0).map(({ type }) => type)

test('a request without the key, to an unknown URL or with an extra parameter gets an error in Stripe’s format', async () => {
  const refused = async (...request: Parameters<typeof api>) => {
    const { status, body } = await api(...request)
    return [status, body.error.type, body.error.code]
  }
  assert.deepEqual(await refused('GET', 'refunds', {}, { authorization: 'Bearer no' }), [
    ...[401, 'invalid_request_error', undefined],
  ])
  assert.deepEqual(await refused('GET', 'nowhere'), [404, 'invalid_request_error', undefined])
  assert.deepEqual(await refused('GET', 'payment_intents/pi_0'), [404, 'invalid_request_error', 'resource_missing'])
  const outdated = { mode: 'payment', customer: 'cus_1', 'payment_method_types[0]': 'card' }
  assert.equal((await refused('POST', 'checkout/sessions', outdated))[0], 400)
  assert.deepEqual(await refused('POST', 'customers', { colour: 'red' }), [
    ...[400, 'invalid_request_error', 'parameter_unknown'],
  ])
})

test('a repeated idempotency key returns the same response, and is rejected for a different request', async () => {
  const named = { 'idempotency-key': 'one' }
  const first = await api('POST', 'customers', { email: 'a@b.example' }, named)
  const again = await api('POST', 'customers', { email: 'a@b.example' }, named)
  assert.deepEqual(again.body, first.body)
  assert.deepEqual(
    [first, again].map(({ headers }) => headers.get('idempotent-replayed')),
    [null, 'true'],
  )
  const other = await api('POST', 'customers', { email: 'c@d.example' }, named)
  assert.deepEqual([other.status, other.body.error.type], [400, 'idempotency_error'])
})

test('on the payment page a card can be declined and then pay, the browser is redirected, and the webhooks are signed', async () => {
  const { url, id } = await newSession('payment')
  const page = await (await fetch(url)).text()
  assert.match(page, /Test double/)
  assert.match(page, /Pay \$10\.00/)
  assert.match(page, /href="http:\/\/owner\.example\/b\?a&#61;1"/)
  const declined = await press(url, { act: 'decline' })
  assert.equal(declined.status, 200)
  assert.match(await declined.text(), /role="alert">Your card was declined/)
  const paid = await press(url, { act: 'pay' })
  assert.deepEqual([paid.status, paid.headers.get('location')], [303, `http://owner.example/paid?s=${id}`])
  assert.match(calls[0]?.signature ?? '', /^t=\d+,v1=[0-9a-f]{64}$/)
  assert.deepEqual(typesOf().sort(), [
    ...['checkout.session.completed', 'payment_intent.payment_failed', 'payment_intent.succeeded'],
  ])
  assert.match(await (await fetch(url)).text(), /<h1>Done/)
})

test('a payment can be reported late, in reverse, twice or never', async () => {
  const { url } = await newSession('payment')
  assert.equal((await press(url, { act: 'delay' })).status, 303)
  assert.deepEqual(typesOf(), [])
  await double.webhooks.release({ reverse: true })
  const [last, first] = double.webhooks.list().slice(-2).reverse()
  assert.deepEqual(
    calls.map(({ id }) => id),
    [last?.id, first?.id],
  )
  await control(`deliver-again?event=${first?.id}`)
  await double.webhooks.settled()
  assert.equal(calls.splice(0).filter(({ id }) => id === first?.id).length, 2)
  await control('hold')
  double.pay((await newSession('payment')).id)
  await control('drop')
  await control('release')
  await double.webhooks.settled()
  assert.deepEqual(typesOf(), [])
})

test('a rejected webhook is sent again with the same event', async () => {
  refusals = 3
  double.pay((await newSession('payment')).id)
  await double.webhooks.settled()
  assert.deepEqual(typesOf().sort(), ['checkout.session.completed', 'payment_intent.succeeded'])
})

test('a card can be saved on its page, and each control works', async () => {
  const { url } = await newSession('setup')
  assert.equal((await press(url, { card: '0341' })).status, 303)
  const { intent } = double.pay((await newSession('payment')).id)
  const { id: dispute } = (await (await control(`dispute?intent=${intent.id}`)).json()) as { id: string }
  assert.equal((await control(`close-dispute?dispute=${dispute}&outcome=won`)).status, 200)
  assert.equal((await control(`refund?intent=${intent.id}&amount=300`)).status, 200)
  assert.equal((await control('refund?intent=pi_none')).status, 400)
  assert.equal((await control('nothing')).status, 404)
  const listed = (await (await control('list')).json()) as Record<string, { amount?: number }[]>
  assert.equal(listed['refunds']?.[0]?.amount, 300)
  await double.webhooks.settled()
  const overview = await (await fetch(`${double.apiUrl}/`)).text()
  assert.match(overview, /\$3\.00 refunded/)
})

test('requests and undelivered events survive a restart', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-provider-'))
  const file = join(folder.path, 'state.json')
  calls.length = 0
  {
    await using before = new AsyncDisposableStack()
    const { payments, double: first } = await startProvider(before, { eventsUrl, file })
    const customer = await payments.createCustomer({ accountId: 'acct_1', email: 'ada@example.com' })
    const paymentId = 'pay_01k95a0000000000000000000x'
    const topUp = { paymentId, accountId: 'acct_1', customer, amountMicros: 5_000_000, successUrl: 'http://a.example' }
    first.webhooks.hold()
    first.pay((await payments.startTopUp({ ...topUp, cancelUrl: 'http://a.example' })).reference)
  }
  await using again = new AsyncDisposableStack()
  const { payments, double: second } = await startProvider(again, { eventsUrl, file })
  await second.webhooks.settled()
  assert.deepEqual(typesOf().sort(), ['checkout.session.completed', 'payment_intent.succeeded'])
  const [session] = second.list('checkout.session')
  assert.equal((await payments.readPayment({ reference: String(session?.id), intent: null }))?.status, 'paid')
  const customer = await payments.createCustomer({ accountId: 'acct_1', email: 'ada@example.com' })
  assert.equal(customer, session?.customer)
})

test('the runbook lists every event that the double sends', () => {
  const runbook = readFileSync(join(repoDir, 'docs/runbooks/payments.md'), 'utf8')
  const listed = [...runbook.matchAll(/^- `([a-z_]+\.[a-z_.]+)`$/gm)].map(([, name]) => name)
  assert.deepEqual(listed.sort(), [...subscribedEvents].sort())
})
