import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amount, signedAmount } from '../markup/money.ts'
import { chargeWords, effectMicros } from './charges/charges-table.ts'
import { howLongItLasts } from './overview/forecast.ts'
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
  const chart = spendingChart(spent([1_000, 0, 90_000_000]))
  assert.equal(chart.match(/<rect class="bar/g)?.length, 2)
  assert.match(chart, /\$100\.00/)
  assert.doesNotMatch(chart, /height="0|NaN|Infinity/)
})

test('the scale ends close above the highest day, and the axis names a middle day', () => {
  for (const [highest, top] of [
    [1_100_000, '1.50'],
    [2_100_000, '3.00'],
    [5_100_000, '7.50'],
  ] as const)
    assert.match(spendingChart(spent([highest])), new RegExp(`aria-hidden="true"><span>\\$${top}<`))
  assert.match(spendingChart(spent([1, 1, 1])), /15 Nov 2026<\/span><span>16 Nov 2026<\/span><span>17 Nov 2026</)
})

test('a day’s bar is stacked by part, with a legend, and a part without spending has neither', () => {
  const { days } = spent([1, 1])
  const parts = [
    { label: 'Messages', micros: [2_000_000, 0] },
    { label: 'Stories', micros: [0, 0] },
    { label: '<b>Ads</b>', micros: [1_000_000, 4_000_000] },
  ]
  const chart = spendingChart({ days, parts })
  const bars = [...chart.matchAll(/<rect class="bar (series-\d)" x="([\d.]+)" y="([\d.]+)" [^>]*height="([\d.]+)"/g)]
  assert.deepEqual(
    bars.map(([, series, , y, tall]) => [series, y, tall]),
    [
      ['series-1', '60.0', '40.0'],
      ['series-3', '40.0', '20.0'],
      ['series-3', '20.0', '80.0'],
    ],
  )
  assert.doesNotMatch(chart, /Stories|<b>/)
  assert.match(chart, /Messages \$2\.00, &#60;b&#62;Ads&#60;\/b&#62; \$5\.00\. Highest: \$4\.00 on 16 Nov 2026\./)
})

test('the daily cap is a line, and is only mentioned if it is far above the bars', () => {
  const near = spendingChart(spent([1_000_000, 2_000_000]), 5_000_000)
  assert.match(near, /<line class="cap" x1="0" x2="600" y1="0\.0"/)
  assert.match(near, /Daily cap <span class="soft">\$5\.00<\/span>/)
  const far = spendingChart(spent([1_000_000, 2_000_000]), 100_000_000)
  assert.doesNotMatch(far, /<line class="cap" x1="0" x2="600"/)
  assert.match(far, /\$100\.00, above this chart/)
  assert.match(far, /The daily cap is \$100\.00\./)
  assert.doesNotMatch(spendingChart(spent([1_000_000])), /class="cap"|daily cap/i)
})

test('the balance lasts as long as at the rate of the last week, or of the month if nothing was spent last week', () => {
  const at = new Date('2026-11-21T00:00:00Z')
  const createdAt = new Date('2026-01-01T00:00:00Z')
  const lasts = (micros: readonly number[], prepaidMicros: number, created = createdAt) =>
    howLongItLasts(spent(micros, at), { prepaidMicros, createdAt: created, at })
  const week = [9_000_000, 0, 0, 700_000, 0, 0, 500_000, 0]
  assert.equal(lasts(week, 2_400_000), 'Lasts about 12 days at this rate: $0.20 per day over the last 6 days.')
  assert.equal(
    lasts([800_000, 0, 0, 0, 0, 0, 0, 0, 0], 1_000_000),
    'Lasts about 10 days at this rate: $0.10 per day over the last 8 days.',
  )
  assert.equal(lasts([0, 0, 0], 1_000_000), null)
  assert.equal(lasts([1_000_000], 0), null)
  assert.match(
    String(lasts([0, 1_000_000], 900_000, at)),
    /^Lasts less than a day at this rate: \$1\.00 per day over the last day\.$/,
  )
  assert.match(String(lasts([0, 1_000_000], 1_900_000, at)), /^Lasts about a day /)
  assert.match(String(lasts([0, 1], 1_900_000)), /^Lasts more than two years at this rate: \$0\.001 per day/)
})

/** Spending by one part on consecutive days, the last of which is `at`, or starts on 15 November. */
function spent(micros: readonly number[], at = new Date(Date.UTC(2026, 10, 14 + micros.length))) {
  const days = micros.map((_, index) => new Date(at.getTime() - (micros.length - 1 - index) * 86_400_000))
  return { days, parts: [{ label: 'Messages', micros }] }
}
