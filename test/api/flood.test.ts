// Runs alone: it loads the process.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { requestsPerConnection } from '../../src/http/shed-load.ts'
import { type ApiProcess, holdAccount, startApi } from '../../tooling/environment/processes.ts'
import { newcomer, type Service, startService } from '../../tooling/environment/service.ts'
import { assertProblem, refusalOf } from '../../tooling/problem-document.ts'
import { withDefaultConnectTimeout } from '../../tooling/services/databases.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { watchHealth } from '../support/http/watch-health.ts'

const connections = 4
/** Requests that the process accepts at a time. */
const maxInFlight = connections * requestsPerConnection
const floodSize = 5 * maxInFlight

/** A worker that moderates, and a separate API process on the same database, with few connections. */
let service: Service
let api: ApiProcess
before(async () => {
  service = await startService({ judges: true })
  api = await startApi(service.database, {
    API_DATABASE_URL: withDefaultConnectTimeout(service.database.urls.api),
    DATABASE_POOL_MAX: String(connections),
    LOG_LEVEL: 'warn',
  })
})
after(async () => {
  await api?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const asked = (apiKey: string, method = 'GET', body?: object) =>
  fetch(`${api.baseUrl}/v1/account`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })

/** Read to its end: a normal response, or a problem that says when to retry. */
async function outcomeOf(response: Response): Promise<number> {
  if (response.status === 503) {
    assert.match(String(response.headers.get('retry-after')), /^[1-5]$/)
    assert.match(String(response.headers.get('x-request-id')), /^[0-9a-f]{32}$/)
    assertProblem(await refusalOf(response), 'unavailable')
  } else await response.arrayBuffer()
  return response.status
}

/** On a busy machine, the process may still reject requests for a while because its event loop lags. */
async function untilAccepted<Result>(request: () => Promise<Result>): Promise<Result> {
  const results: Result[] = []
  await waitFor(async () => results.push(await request()) > 0, 'a request to be accepted')
  return results[0] as Result
}
const createAccount = async () => (await untilAccepted(() => api.client().createAccount(newcomer))).body

const metric = async (name: string) => {
  const text = await (await fetch(`${api.healthUrl}/metrics`)).text()
  return text.split('\n').filter((line) => line.startsWith(name))
}

test('a flood that bypasses the gateway is answered or refused, and affects neither health checks nor decisions', async () => {
  const { api_key, id } = (await api.client().createAccount(newcomer)).body
  await service.credit(id, 1_000_000)
  const { body: post } = await api
    .client(api_key)
    .submitPost({ text: 'The ferry to Troia sails from the western pier today.' })
  await using health = watchHealth(`${api.healthUrl}/healthz`)
  const begin = performance.now()
  const outcomes = await Promise.all(Array.from({ length: floodSize }, async () => outcomeOf(await asked(api_key))))
  const floodMs = performance.now() - begin
  const took = await health.stop()
  assert.deepEqual([...new Set(outcomes)].sort(), [200, 503])
  assert.ok(outcomes.filter((status) => status === 200).length >= maxInFlight)
  // If the flood delayed it, a response would come at its end.
  const share = Math.max(...took) / floodMs
  assert.ok(took.length > 1 && share < 0.7, `${took.length} times, at most ${share} of the flood`)
  await service.settle()
  const { body: record } = await api.client(api_key).getPost('id' in post ? post.id : '')
  assert.equal('status' in record && record.status, 'published')
})

test('after the flood everything works as before, and the operator sees the refusals', async () => {
  const { api_key } = await createAccount()
  const isAsBefore = async () => {
    const half = Array.from({ length: maxInFlight / 2 }, async () => outcomeOf(await asked(api_key)))
    return (await Promise.all(half)).every((status) => status === 200)
  }
  await waitFor(isAsBefore, 'the process to accept half of what it accepts at most')
  await waitFor(
    async () => / 0$/.test((await metric('http_server_requests_in_flight')).join()),
    'no request to be left',
  )
  const [shed = ''] = await metric('http_server_requests_shed_total')
  assert.match(shed, /reason="in_flight"/)
  const { output } = api
  assert.match(output.stdout, /requests rejected because of overload/)
  assert.ok(output.stdout.split('\n').length < floodSize / 2, 'the log is not flooded in turn')
})

test('a caller who waits too long for a connection is told when to retry', async () => {
  const { api_key, id } = await createAccount()
  await using held = await holdAccount(service.database, id)
  const change = { auto_recharge: { enabled: false } }
  const waiting = Array.from({ length: 8 * connections }, async () => outcomeOf(await asked(api_key, 'PATCH', change)))
  await held.untilAwaited(2)
  assert.equal(await Promise.race(waiting), 503)
  await held.release()
  assert.ok((await Promise.all(waiting)).every((status) => status === 200 || status === 503))
  await waitFor(async () => (await outcomeOf(await asked(api_key, 'PATCH', change))) === 200, 'a call to succeed')
})
