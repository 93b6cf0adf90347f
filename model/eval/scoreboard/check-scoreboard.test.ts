import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findFalls, shortfalls } from './check-scoreboard.ts'
import { type Figures, mergeScoreboard, type Scoreboard } from './scoreboard.ts'

const share = (value: number, low = value - 0.04, high = value + 0.04) => ({ share: value, low, high, n: 200 })
const figure = (value: number) => ({ value, low: value - 0.03, high: value + 0.03, n: 200 })

const figures = (changes: Partial<Figures> = {}): Figures => ({
  shares: { violating: null, near_miss: null, clean: null },
  violating_published: share(0.04),
  abusive_published: share(0.06),
  benign_rejected: share(0, 0, 0.02),
  benign_published: share(0.9),
  benign_review: share(0.1),
  review_share: share(0.5),
  average_precision: figure(0.9),
  calibration_error: figure(0.1),
  ...changes,
})

const basis = {
  ...{ policy_version: '2026-11-15', model: { name: 'local', version: 'aaaa' } },
  ...{ thresholds_version: '1', rules_version: 'eeee' },
}
const none = { harmless_review: null, harmless_rejected: null, violating_published: null }
const scenarios = { new_account: none, trusted_account: none, accepting_judge: none, simulated_judge: none }
const committed = (changes: Partial<Figures> = {}): Scoreboard => {
  const all = { rules_alone: figures(), local_alone: figures(), pipeline_without_judge: figures(changes) }
  return {
    ...basis,
    set: { posts: 600, sealed: 200, hash: 'cccc' },
    judge: null,
    sealed: all,
    open: all,
    sealed_scenarios: scenarios,
    left_out: { posts: 0, authors: 0, scenarios, groups: [], curves: { no_judge: [], accepting_judge: [] } },
    categories: [],
    attacks: {
      ...basis,
      set_hash: 'cccc',
      posts: 60,
      sealed: 20,
      published_without_judge: share(0.1),
      published_with_accepting_judge: share(0.4),
      wrappers: [],
    },
    benchmarks: [],
    does_not_cover: [],
    timing: null,
  }
}
const now = (changes: Partial<Figures> = {}) => ({ ...basis, set: { hash: 'cccc' }, figures: figures(changes) })

describe('the scoreboard check', () => {
  test('accepts the same figures, better ones, and worse ones within the interval', () => {
    assert.deepEqual(findFalls(committed(), now()), [])
    assert.deepEqual(findFalls(committed(), now({ average_precision: figure(0.99), review_share: share(0.2) })), [])
    assert.deepEqual(findFalls(committed(), now({ average_precision: figure(0.88) })), [])
  })

  const falls: [keyof Figures, Figures[keyof Figures], RegExp][] = [
    ['violating_published', share(0.13), /violating posts published: 13\.0 %/],
    ['abusive_published', share(0.11), /abusive posts published/],
    ['benign_rejected', share(0.03), /harmless posts rejected/],
    ['benign_published', share(0.8), /harmless posts published/],
    ['benign_review', share(0.15), /harmless posts sent to review/],
    ['review_share', share(0.6), /posts sent to review/],
    ['average_precision', figure(0.86), /average precision/],
    ['calibration_error', figure(0.14), /calibration error/],
    ['average_precision', null, /figure no longer exists/],
  ]
  for (const [name, value, expected] of falls)
    test(`reports that ${name} fell to ${value ? 'less' : 'nothing'}`, () =>
      assert.match(findFalls(committed(), now({ [name]: value })).join('\n'), expected))

  test('enforces the bars even within the interval', () => {
    assert.match(findFalls(committed(), now({ benign_rejected: share(0.01) })).join(), /exceeds the bar of 0\.5 %/)
    assert.match(findFalls(committed(), now({ violating_published: share(0.06) })).join(), /exceeds the bar of 5\.0 %/)
  })

  test('accepts a committed shortfall, but not a larger one', () => {
    const short = committed({ violating_published: share(0.2) })
    assert.deepEqual(findFalls(short, now({ violating_published: share(0.22) })), [])
    assert.notDeepEqual(findFalls(short, now({ violating_published: share(0.25) })), [])
    assert.match(shortfalls(short.sealed.pipeline_without_judge).join(), /20\.0 %; the bar is 5\.0 %/)
    assert.deepEqual(shortfalls(figures()), [])
  })

  test('asks for a new scoreboard when the old one is out of date', () => {
    const other = [
      { ...now(), model: { name: 'local', version: 'bbbb' } },
      { ...now(), policy_version: '2026-12-01' },
      { ...now(), thresholds_version: '2' },
      { ...now(), rules_version: 'ffff' },
      { ...now(), set: { hash: 'dddd' } },
    ]
    for (const one of other) assert.match(findFalls(committed(), one).join(), /npm run eval -- moderation --write/)
    assert.match(findFalls(null, now()).join(), /No scoreboard exists/)
    assert.match(findFalls(committed({ abusive_published: null }), now()).join(), /does not have this figure; run/)
  })

  test('asks for new attacks when there are none or when they are out of date', () => {
    const { attacks, ...unattacked } = committed()
    assert.ok(attacks)
    const old = [
      unattacked,
      { ...unattacked, attacks: { ...attacks, rules_version: 'ffff' } },
      { ...unattacked, attacks: { ...attacks, model: { name: 'local', version: 'bbbb' } } },
      { ...unattacked, attacks: { ...attacks, thresholds_version: '2' } },
      { ...unattacked, attacks: { ...attacks, set_hash: 'dddd' } },
    ]
    for (const one of old) assert.match(findFalls(one, now()).join(), /npm run eval -- attacks --write/)
  })
})

describe('figures added to the scoreboard', () => {
  const section = { ...basis, set_hash: 'cccc' }

  test('are stored next to the others', () => {
    const merged = mergeScoreboard({ obfuscation: { ...section, figures: [] } }, committed(), section)
    assert.deepEqual(merged?.dropped, [])
    assert.deepEqual(merged?.scoreboard.sealed, committed().sealed)
    assert.deepEqual(merged?.scoreboard.obfuscation?.figures, [])
  })

  test('are rejected if the main figures are for another model or set', () => {
    const other = { ...section, model: { name: 'local', version: 'bbbb' } }
    assert.equal(mergeScoreboard({ obfuscation: { ...other, figures: [] } }, committed(), other), null)
    assert.equal(mergeScoreboard({}, committed(), { ...section, set_hash: 'dddd' }), null)
    assert.equal(mergeScoreboard({}, null, section), null)
  })

  test('drop the figures of the previous model', () => {
    const other = { ...basis, model: { name: 'local', version: 'bbbb' } }
    const { attacks: _, ...fresh } = committed()
    const merged = mergeScoreboard({ ...fresh, ...other }, committed(), { ...other, set_hash: 'cccc' })
    assert.deepEqual(merged?.dropped, ['attacks'])
    assert.equal(merged?.scoreboard.attacks, undefined)
  })
})
