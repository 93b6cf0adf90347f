import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assessAccount, assessPost } from './assess-trust.ts'
import { type PostFacts, type TrustFacts, trustThresholds } from './trust-rules.ts'

const day = (number: number) => new Date(Date.UTC(2026, 10, 1) + number * 86_400_000)

const settled: TrustFacts = {
  standing: 'good',
  strikes: 0,
  createdAt: day(0),
  emailVerifiedAt: day(1),
  lastAbuseAt: null,
  acceptedAt: [day(2), day(3), day(4), day(5), day(6)],
}
const usual: PostFacts = { hasNewDomain: false, isNewKind: false, sentInAnHour: 1, publishedBefore: 5 }

describe('what an account needs', () => {
  const cases: [name: string, facts: Partial<TrustFacts>, needs: (string | RegExp)[]][] = [
    ['nothing', {}, []],
    ['three posts', { acceptedAt: [day(2), day(3)] }, ['3 more accepted posts']],
    [
      'posts since a rejection',
      { acceptedAt: [day(3)], lastAbuseAt: day(2) },
      ['4 more accepted posts since the last rejection for abuse'],
    ],
    ['one post', { acceptedAt: settled.acceptedAt.slice(1) }, ['1 more accepted post']],
    [
      'everything',
      { acceptedAt: [], emailVerifiedAt: null },
      ['5 more accepted posts', /^7 more days/, /^a verified email address/],
    ],
    ['no strikes', { strikes: 1 }, [/^no strikes: this account has 1/]],
    ['no ban', { standing: 'banned' }, ['good standing: this account is banned']],
  ]
  for (const [name, facts, needs] of cases)
    test(name, () => {
      const trust = assessAccount({ ...settled, ...facts }, day(10))
      assert.equal(trust.level, needs.length === 0 ? 'trusted' : 'new')
      assert.equal(trust.needs.length, needs.length, trust.needs.join('; '))
      for (const [index, need] of needs.entries())
        typeof need === 'string'
          ? assert.equal(trust.needs[index], need)
          : assert.match(String(trust.needs[index]), need)
    })

  test('days count from the first accepted post and are rounded up', () => {
    assert.deepEqual(assessAccount(settled, day(7)).needs, ['2 more days'])
    assert.deepEqual(assessAccount(settled, day(8.01)).needs, ['1 more day'])
    assert.deepEqual(assessAccount(settled, day(9)).needs, [])
  })
})

test('an account is trusted since the last requirement was met', () => {
  const since = (facts: Partial<TrustFacts>) => assessAccount({ ...settled, ...facts }, day(30)).since
  assert.deepEqual(since({}), day(9), 'the week')
  assert.deepEqual(since({ acceptedAt: [...settled.acceptedAt.slice(0, 4), day(12)] }), day(12), 'the fifth post')
  assert.deepEqual(since({ emailVerifiedAt: day(15) }), day(15), 'the email')
  assert.deepEqual(since({ strikes: 1, lastAbuseAt: day(20) }), day(20), 'new since the refusal')
  assert.deepEqual(since({ acceptedAt: [] }), day(0), 'new since it was created')
})

describe('a trusted account’s post is treated as new', () => {
  const trusted = assessAccount(settled, day(10))
  const treated = (post: Partial<PostFacts>) => {
    const { treatedAs, because } = assessPost(trusted, { ...usual, ...post })
    return [treatedAs, ...because]
  }
  test('not usually', () => assert.deepEqual(treated({}), ['trusted']))
  test('with a new domain', () => assert.deepEqual(treated({ hasNewDomain: true }), ['new', 'new_domain']))
  test('with a new kind', () => assert.deepEqual(treated({ isNewKind: true }), ['new', 'new_kind']))
  test('in a burst: more in an hour than on an average day, never up to 5, always above 100', () => {
    assert.deepEqual(treated({ sentInAnHour: 5, publishedBefore: 0 }), ['trusted'])
    assert.deepEqual(treated({ sentInAnHour: 6, publishedBefore: 35 }), ['new', 'burst'])
    assert.deepEqual(treated({ sentInAnHour: 10, publishedBefore: 70 }), ['trusted'])
    assert.deepEqual(treated({ sentInAnHour: 11, publishedBefore: 70 }), ['new', 'burst'])
    assert.deepEqual(treated({ sentInAnHour: 101, publishedBefore: 7_000 }), ['new', 'burst'])
  })
  test('for every reason at once', () =>
    assert.deepEqual(treated({ hasNewDomain: true, isNewKind: true, sentInAnHour: 50 }), [
      ...['new', 'new_domain', 'burst', 'new_kind'],
    ]))
})

const anyDay = fc.integer({ min: 0, max: 40 }).map(day)
const anyFacts: fc.Arbitrary<TrustFacts> = fc.record({
  standing: fc.constantFrom('good' as const, 'good' as const, 'banned' as const),
  strikes: fc.constantFrom(0, 0, 1, 2, 3),
  createdAt: fc.constant(day(0)),
  emailVerifiedAt: fc.option(anyDay, { freq: 4 }),
  lastAbuseAt: fc.option(anyDay),
  acceptedAt: fc
    .array(anyDay, { minLength: 3, maxLength: trustThresholds.acceptedPosts })
    .map((days) => days.toSorted((one, other) => one.getTime() - other.getTime())),
})
const anyPost: fc.Arbitrary<PostFacts> = fc.record({
  hasNewDomain: fc.boolean(),
  isNewKind: fc.boolean(),
  sentInAnHour: fc.integer({ min: 1, max: 120 }),
  publishedBefore: fc.integer({ min: 0, max: 800 }),
})
const at = day(50)
const rank = (facts: TrustFacts, when = at) => (assessAccount(facts, when).level === 'trusted' ? 1 : 0)

/** How each fact can change without raising trust. */
const worse: Record<string, (facts: TrustFacts) => TrustFacts> = {
  'a strike': (facts) => ({ ...facts, strikes: facts.strikes + 1 }),
  'a refusal, after which nothing was accepted': (facts) => ({ ...facts, lastAbuseAt: at, acceptedAt: [] }),
  'an accepted post that was removed': (facts) => ({ ...facts, acceptedAt: facts.acceptedAt.slice(1) }),
  'an email that is not verified': (facts) => ({ ...facts, emailVerifiedAt: null }),
  'a ban': (facts) => ({ ...facts, standing: 'banned' }),
}

describe('trust is monotone', () => {
  for (const [what, change] of Object.entries(worse))
    test(`${what} never raises it`, () =>
      fc.assert(fc.property(anyFacts, (facts) => assert.ok(rank(change(facts)) <= rank(facts)))))

  test('time alone never lowers trust', () =>
    fc.assert(
      fc.property(anyFacts, fc.integer({ min: 0, max: 100 }), (facts, days) =>
        assert.ok(rank(facts, day(50 + days)) >= rank(facts)),
      ),
    ))

  test('a trusted account has no missing requirements, a new one has some, and no level starts in the future', () => {
    let trusted = 0
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { level, needs, since } = assessAccount(facts, at)
        assert.equal(level === 'trusted', needs.length === 0)
        assert.ok(since <= at)
        if (level === 'trusted') trusted++
      }),
      { numRuns: 1_000 },
    )
    assert.ok(trusted > 10, `only ${trusted} of 1,000 were trusted: the property says little`)
  })

  test('a new account’s post is treated as new, and exceptions never raise trust', () =>
    fc.assert(
      fc.property(anyFacts, anyPost, (facts, post) => {
        const trust = assessAccount(facts, at)
        const { treatedAs, because } = assessPost(trust, post)
        assert.equal(treatedAs === 'trusted', because.length === 0)
        if (trust.level === 'new') assert.deepEqual(because, ['new_account'])
        const stranger = { ...post, hasNewDomain: true, isNewKind: true, sentInAnHour: post.sentInAnHour + 1 }
        assert.equal(assessPost(trust, stranger).treatedAs, 'new')
        const busier = assessPost(trust, { ...post, sentInAnHour: post.sentInAnHour + 1 })
        assert.ok(treatedAs === 'new' ? busier.treatedAs === 'new' : true)
      }),
    ))
})
