import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { gatewayRecogniser } from './client-address.ts'

const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const isFromGateway = gatewayRecogniser([first, second].map((secret) => createSecretKey(secret, 'utf8')))

test('both secrets are accepted during a rotation', () => {
  for (const secret of [first, second]) assert.ok(isFromGateway({ 'x-gateway-secret': secret }))
})

test('no other secret is accepted', () => {
  const wrong = ['', first.slice(1), `${first} `, first.toUpperCase(), `${first}, ${second}`, 'x'.repeat(80_000)]
  for (const secret of wrong) assert.ok(!isFromGateway({ 'x-gateway-secret': secret }), secret.slice(0, 100))
  assert.ok(!isFromGateway({ 'x-gateway-secret': [first, second] }))
  assert.ok(!isFromGateway({}))
  assert.ok(!gatewayRecogniser([])({ 'x-gateway-secret': '' }))
})
