import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { policyCategoryIds } from '../../src/policy/policy.ts'
import { runOperator } from '../../tooling/environment/processes.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { openTransparencyFixture } from '../support/moderation/transparency-fixture.ts'

let service: Service
let fixture: Awaited<ReturnType<typeof openTransparencyFixture>>
before(async () => {
  service = await startService()
  fixture = await openTransparencyFixture(service)
})
after(() => service?.[Symbol.asyncDispose]())

const scoresOf = (some: Record<string, number>) => ({
  ...Object.fromEntries(policyCategoryIds.map((id) => [id, 0])),
  ...some,
})

type Row = { daysAgo?: number; live?: object; candidate?: object; judge?: string; version?: string }

/** A decision as the worker stores it, of a live model and a candidate with these scores. */
async function seedDecision({ daysAgo = 1, live = {}, candidate = {}, judge, version = 'candidate1' }: Row) {
  const at = new Date(service.clock.now().getTime() - daysAgo * 86_400_000).toISOString()
  const id = await fixture.post(at)
  const scores = {
    ...{ row: 'x', thresholds: '1', rules: scoresOf({}), classifier: scoresOf({ ...live }), overall: 0, judged: true },
    mentions_minors: false,
    ...(judge && { judge: { verdict: judge, category: judge === 'accept' ? null : 'spam', score: 0.9 } }),
    shadow: { version, judged: true, overall: 0, scores: scoresOf({ ...candidate }) },
  }
  await service.asOwner(
    `insert into moderation_decisions (post_id, outcome, automated, actor, policy_version, model, scores, decided_at)
     values ($1, 'publish', true, 'model:test', '2026-11-15', 'test', $2, $3)`,
    [id, JSON.stringify(scores), at],
  )
  return id
}

const run = (...args: string[]) =>
  runOperator(
    { OPERATOR_DATABASE_URL: service.database.urls.operator, BROADSIDE_ENVIRONMENT: 'test' },
    ...['model', 'shadow', ...args],
  )

test('different decisions of a candidate are reported by direction and category, without a text', async () => {
  const none = await run()
  assert.deepEqual([none.code, none.stdout], [1, ''])
  assert.match(none.stderr, /No candidate model ran/)
  await seedDecision({})
  const stricter = [
    await seedDecision({ candidate: { scam_fraud: 0.99 } }),
    await seedDecision({ candidate: { scam_fraud: 1 } }),
  ]
  const milder = await seedDecision({ live: { spam: 1 } })
  const agreed = await seedDecision({ candidate: { spam: 1 }, judge: 'reject' })
  await seedDecision({ live: { sexual: 0.99 }, candidate: { sexual: 1 } })
  await seedDecision({ candidate: { spam: 0.99 }, daysAgo: 20 })
  await seedDecision({ version: 'candidate2', daysAgo: 0.5 })
  await fixture.decide(await fixture.post('2026-11-10T00:00:00Z'), '2026-11-10T00:00:00Z', { outcome: 'publish' })
  const { stdout, code } = await run('--days', '7')
  assert.equal(code, 0)
  const [first, second] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(first, {
    ...{ version: 'candidate1', compared: 6, differ: 4 },
    differences: [
      { live: 'publish', candidate: 'review', category: 'scam_fraud', count: 2, posts: stricter.toReversed() },
      { live: 'review', candidate: 'publish', category: 'spam', count: 1, posts: [milder] },
      { live: 'review', candidate: 'abuse', category: 'spam', count: 1, posts: [agreed] },
    ],
  })
  assert.deepEqual(second, { version: 'candidate2', compared: 1, differ: 0, differences: [] })
})
