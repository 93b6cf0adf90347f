import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dollars, money } from './money.ts'

test('micro-dollars are shown as dollars with at least two decimals or none', () => {
  assert.equal(dollars(20_000), '$0.02')
  assert.equal(dollars(200_000), '$0.20')
  assert.equal(dollars(1_000), '$0.001')
  assert.equal(dollars(5_000_000), '$5')
})

test('an amount in both units starts with dollars', () => {
  assert.equal(money(20_000), '$0.02 (20,000 micro-dollars)')
})
