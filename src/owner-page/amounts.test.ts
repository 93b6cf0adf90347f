import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amount, signedAmount } from '../markup/money.ts'
import { chargeWords, effectMicros } from './charges/charges-table.ts'
import { spendingChart } from './overview/spending-chart.ts'
import { whatItBuys } from './overview/what-it-buys.ts'

test('amounts have two decimals, and more if needed', () => {
  const cases = [0, 20_000, 1_000, 4_000_000, 1_234_567_890_000, -250_000]
  assert.deepEqual(cases.map(amount), ['$0.00', '$0.02', '$0.001', '$4.00', '$1,234,567.89', '−$0.25'])
  assert.deepEqual([1_000_000, -1_000_000, 0].map(signedAmount), ['+$1.00', '−$1.00', '$0.00'])
})

test('a balance is shown as a number of posts, a small one with prices, and one with a debt as blocked', () => {
  const say = (prepaidMicros: number, owedMicros = 0) => whatItBuys({ prepaidMicros, owedMicros })
  assert.equal(say(10_000_000), 'Enough for about 500 messages, 100 stories, 50 ads or 100 events.')
  assert.equal(say(20_000), 'Enough for about 1 message.')
  assert.match(say(19_999), /^This is not enough for a post\. Prices: messages \$0\.02, /)
  assert.match(say(0, 250_000), /^\$0\.25 is owed/)
})

test('a penalty booked as debt is negative, paying a debt is neutral, and a refund is positive', () => {
  const effect = (from_book: 'prepaid' | 'owed' | 'refunds', to_book: 'prepaid' | 'owed' | 'penalties') =>
    effectMicros({ from_book, to_book, amount_micros: 7 })
  assert.deepEqual([effect('owed', 'penalties'), effect('prepaid', 'owed'), effect('refunds', 'prepaid')], [-7, 0, 7])
  const from = { from_book: 'provider_clearing', cause: 'recharge' } as const
  const told = { ...from, kind: null, amount_micros: 5_000_000, takes_fee: false }
  assert.equal(chargeWords({ ...told, reason: 'top_up' }), 'Automatic recharge')
  assert.equal(chargeWords({ ...told, reason: 'settlement' }), 'Debt of $5.00 paid from the balance')
})

test('the smallest amount has a visible bar next to the largest', () => {
  const day = new Date('2026-11-15T00:00:00Z')
  const chart = spendingChart([
    { day, micros: 1_000 },
    { day, micros: 0 },
    { day, micros: 90_000_000 },
  ])
  assert.equal(chart.match(/<rect /g)?.length, 2)
  assert.match(chart, /\$100\.00/)
  assert.doesNotMatch(chart, /height="0|NaN|Infinity/)
})
