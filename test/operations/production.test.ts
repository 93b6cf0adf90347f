import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asProduction, runOperator, settingsFor } from '../../tooling/environment/processes.ts'
import { migratedDatabase } from '../../tooling/services/databases.ts'

test('production names every setting for development or tests and does not start', async () => {
  await using database = await migratedDatabase('production')
  const settings = await settingsFor(database, {
    BROADSIDE_ENVIRONMENT: 'production',
    OUTBOUND_TEST_RANGES: '127.0.0.0/8',
  })
  const { code, stderr } = await runOperator(settings, 'start')
  assert.equal(code, 1)
  for (const fault of [
    'SITES: must use https in production',
    'ACCOUNT_PAGE_URL: must use https in production',
    'DESK_URL: must use https in production',
    'STRIPE_SECRET_KEY: must not be a test key in production',
    'STRIPE_API_URL: must be https://api.stripe.com in production',
    'OUTBOUND_TEST_RANGES: not allowed in production',
  ])
    assert.ok(stderr.includes(fault), `${fault} is not in: ${stderr}`)
})

test('workers do not start in production without an erasure log', async () => {
  await using database = await migratedDatabase('production')
  const settings = { ...asProduction(await settingsFor(database)), ERASURE_LOG: '' }
  for (const command of ['worker', 'start']) {
    const { code, stderr } = await runOperator(settings, command)
    assert.equal(code, 1)
    assert.match(stderr, /ERASURE_LOG must be set in production/)
  }
})
