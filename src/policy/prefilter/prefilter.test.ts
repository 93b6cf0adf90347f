import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assertCheap } from '../../../test/support/cost.ts'
import { policy, policyCategoryIds } from '../policy.ts'
import { findRefusal, rules } from './prefilter.ts'

const live = { obeysTestWords: false }
const ask = (text: string, options = live) => findRefusal([{ field: 'body', text }], options)

describe('the rules', () => {
  test('have names, categories of the policy and a summary of one line', () => {
    assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length)
    for (const { id, category, summary } of rules) {
      assert.match(id, /^[a-z]+(_[a-z]+)+$/)
      assert.ok(policyCategoryIds.includes(category))
      assert.match(summary, /^[A-Z][^\n]+\.$/)
    }
  })

  test('accept every example that the policy would publish', () => {
    for (const example of policy.categories.flatMap(({ examples }) => examples.non_violating)) {
      assert.equal(ask(example), null, example)
    }
  })

  test('return the first rule that rejects, with its category and the field', () => {
    const parts = [
      { field: 'title', text: 'A title' },
      { field: 'body', text: '...' },
    ]
    assert.deepEqual(findRefusal(parts, live), {
      rule: 'empty_text',
      category: 'low_quality',
      reason: '`body` has no letter, digit or emoji. Write something that people can read.',
    })
    assert.equal(findRefusal([], live), null)
    assert.equal(findRefusal(parts.slice(0, 1), live), null)
  })

  test('obey test words only if enabled', () => {
    const text = 'prefilter-refuse-scam_fraud'
    assert.equal(ask(text), null)
    assert.deepEqual(ask(text, { obeysTestWords: true }), {
      rule: 'test_word',
      category: 'scam_fraud',
      reason: '`body` contains a test word that requests this rejection.',
    })
  })
})

const honest: Record<string, string> = {
  'an ad':
    'Road bike, 54 cm, serviced in May. 420 € or best offer. Call 030 5550 1234 after 18:00, or +44 20 7946 0958.',
  'an event':
    'Open day, 2026-12-05T10:00:00+01:00 until 17:30. Entry 7,50 / 5,00. Hall 3, 48.137154, 11.576124. Bus 52, 62, 132.',
  'a parcel':
    'Has anybody seen parcel 1Z999AA10123456784 or 9400111899223197428490? Shipped 2026-11-02, order 302-4471.',
  'a release':
    'v2.4.1 is out (commit 9fceb02d0ae598e95dc970b74767f19372d61af8, tag 2f1b9c7). md5 9e107d9d372bb6826bd81d3542a419d6.',
  'a sensor': 'Node 6ba7b810-9dad-11d1-80b4-00c04fd430c8 at 00:1A:2B:3C:4D:5E has sent 0 since 1763200000000.',
  'a book': 'Looking for ISBN 978-0-306-40615-7 or 0-306-40615-2, any edition before 1998.',
  'a phone': 'Pixel, black, IMEI 356938035643809, lost near the lake. Reward of 50.',
  'a long link': `Map: https://maps.example/place/${'abc/'.repeat(40)}@48.1371,11.5761,17z/data=!3m1!4b1!4m6!3m5?entry=ttu`,
  'a donation in coins':
    'Support the relay: bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq or 0x52908400098527886E0F7030069857D2E4169EE7.',
  'a menu': `Soup ${'.'.repeat(40)} 4,50\nBread ${'.'.repeat(40)} 1,20\nTea ${'.'.repeat(40)} 2,00`,
  'a recipe': '200 g flour, 200 g sugar, 200 g butter, 200 g eggs. Mix, mix, mix, then bake for 45 minutes at 180 °C.',
  'a haiku': 'old pond\na frog leaps in\nwater’s sound',
  Chinese: '周六上午十点在图书馆门口集合，带一本想送人的书。',
  Arabic: 'مساء السبت: قراءة شعر في المكتبة، والدخول مجاني للجميع.',
  Hindi: 'शनिवार को पुस्तकालय में पुरानी किताबों की बिक्री है, सब आइए।',
  emoji: '🎂 😊',
}

describe('honest posts', () => {
  for (const [title, text] of Object.entries(honest)) test(`${title}: passes`, () => assert.equal(ask(text), null))
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.lorem({ mode: 'sentences', maxCount: 20 }),
  fc
    .array(
      fc.constantFrom('a ', '4539 ', '-----BEGIN PRIVATE KEY-----', 'eyJ', 'sk-', 'DE89', 'https://a', '\uD83D', '❤️'),
    )
    .map((pieces) => pieces.join('')),
)

test('no text makes a rule throw, and the same text gets the same result', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ field: fc.constant('body'), text: anyText })), (parts) => {
      assert.deepEqual(findRefusal(parts, live), findRefusal(parts, live))
    }),
  )
})

test('a reason is one of a few fixed sentences, whatever the text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const refusal = ask(text)
      fc.pre(refusal !== null && refusal.rule !== 'hidden_character')
      assert.match(refusal.reason, /^`body` (has|contains|mostly repeats) [A-Za-z ,()]+(\. [A-Z][A-Za-z ,()]+)+\.$/)
    }),
  )
})

const hostile = [
  ...['a', '1', '\n', 'a ', 'ab ', '1 ', '4-', '4444 ', "a'", '!', '春', 'ก่', '❤️', '\u0315\u0323', '\u0915\u094D'],
  ...['eyJ', 'eyJ ', 'eyJaaaaaaaaaaaa.', 'eyJaaaaaaaaaaaa.eyJaaaaaaaaaaaa.', 'sk-', 'sk-aT3BlbkFJ', 'AKIA', 'ghp_a '],
  ...[
    'xoxb-12345678-',
    'SG.',
    '-----',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----a',
    'secretAccessKey=',
  ],
  ...['DE89', 'DE89 ', 'DE89 3704 ', '4539578763621487 ', 'card 4539578763621487 ', 'order ', 'prefilter-refuse-spa '],
  ...['http', 'https://', 'https://a', 'https://a.example ', 'aaaaaaaaaaaaaaaaaaab', 'a b c d e f g '],
]
const hostileTexts: [title: string, text: string][] = [
  ...hostile.map((unit): [string, string] => [unit, unit.repeat(Math.ceil(262_144 / Buffer.byteLength(unit)))]),
  ['different links', Array.from({ length: 13_000 }, (_, number) => `https://x${number}.example`).join(' ')],
  ['different words', Array.from({ length: 45_000 }, (_, number) => number.toString(36)).join(' ')],
  ['almost a loop', `${'z y '.repeat(15_000)}${'a '.repeat(70_000)}${'b c '.repeat(15_000)}`],
]

test('checking the worst 256 KiB takes little longer than reading a text of that size', () => {
  for (const [title, text] of hostileTexts)
    assertCheap(() => ask(text, { obeysTestWords: true }), 1.5, JSON.stringify(title))
})
