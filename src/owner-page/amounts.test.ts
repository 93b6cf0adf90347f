import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kinds } from '../kinds/index.ts'
import { amount, signedAmount } from '../markup/money.ts'
import { chargeWords, effectMicros } from './charges/charges-table.ts'
import { spendingSection } from './overview/spending-section.ts'
import { whatItBuys } from './overview/what-it-buys.ts'

test('amounts have two decimals, and more if needed', () => {
  const cases = [0, 20_000, 1_000, 4_000_000, 1_234_567_890_000, -250_000]
  assert.deepEqual(cases.map(amount), ['$0.00', '$0.02', '$0.001', '$4.00', '$1,234,567.89', '−$0.25'])
  assert.deepEqual([1_000_000, -1_000_000, 0].map(signedAmount), ['+$1.00', '−$1.00', '$0.00'])
})

test('a balance is shown as a number of posts, a small one with prices, and one with a debt as blocked', () => {
  const say = (prepaidMicros: number, owedMicros = 0) => whatItBuys({ prepaidMicros, owedMicros })
  const enough = kinds.map(({ priceMicros, site }) => `${10_000_000 / priceMicros} ${site.plural}`)
  assert.equal(say(10_000_000), `Enough for about ${enough.slice(0, -1).join(', ')} or ${enough.at(-1)}.`)
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

/** Spending by one part on consecutive days, the last of which is 21 November. */
const spent = (micros: readonly number[]) => ({
  days: micros.map((_, index) => new Date(Date.UTC(2026, 10, 22 - micros.length + index))),
  parts: [
    { label: '<b>Ads</b>', micros },
    { label: 'Stories', micros: micros.map(() => 0) },
  ],
})

test('spending is a row a day, newest first, with the sum before and earlier days folded', () => {
  const section = spendingSection(spent([1_000, 0, ...Array.from({ length: 7 }, () => 20_000)]), {
    ...{ by: 'site', capMicros: 500_000 },
  })
  const [shown = '', folded = ''] = section.split('<details>')
  const rowsOf = (part: string) =>
    [...part.matchAll(/<th scope="row">(.*?)<\/th>(.*?)<\/tr>/g)].map(([, name, cells]) => [
      name,
      ...[...String(cells).matchAll(/<td class="amount">(.*?)<\/td>/g)].map(([, cell]) => cell),
    ])
  assert.deepEqual(rowsOf(shown).slice(0, 2), [
    ['9 days', '$0.141', '$0.141'],
    ['21 Nov 2026', '$0.02', '$0.02'],
  ])
  assert.equal(rowsOf(shown).length, 8)
  assert.deepEqual(rowsOf(folded), [['13 Nov 2026', '$0.001', '$0.001']])
  assert.match(section, /&#60;b&#62;Ads/)
  assert.doesNotMatch(section, /Stories|<b>/)
  assert.match(section, /Together, the keys can spend \$0\.50 a day\./)
})
