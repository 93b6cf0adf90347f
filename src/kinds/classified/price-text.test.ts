import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priceText } from './price.ts'

test('a price shows only the decimals it needs and names the dollar currency', () => {
  const shown = (amount: number, currency: string) => priceText({ amount, currency }).replaceAll('\u00a0', ' ')
  assert.equal(shown(1450, 'EUR'), '€1,450')
  assert.equal(shown(45.5, 'USD'), 'US$45.50')
  assert.equal(shown(1800, 'JPY'), 'JP¥1,800')
  assert.equal(shown(12.5, 'CHF'), 'CHF 12.50')
  assert.equal(shown(3_150_000, 'KRW'), 'KRW 3,150,000')
  assert.equal(shown(0, 'EUR'), 'Free')
})
