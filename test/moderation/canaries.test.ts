import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { canaries } from '../../src/moderation/canaries/canary-posts.ts'
import { observeCanaries } from '../../src/moderation/canaries/canary-runs.ts'
import { runCanaries } from '../../src/moderation/canaries/run-canaries.ts'
import { startHealthServer } from '../../src/platform/observability/health-server.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import { startTelemetry, type Telemetry } from '../../src/platform/observability/telemetry.ts'
import { policyCategoryIds } from '../../src/policy/policy.ts'
import { openStaff, type Staff } from '../../tooling/clients/staff.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { startFlatModel } from '../../tooling/models/stub-models.ts'

let telemetry: Telemetry
let service: Service
let lead: Staff
before(async () => {
  telemetry = startTelemetry({ process: 'test' })
  service = await startService()
  lead = await openStaff(service, { role: 'lead' })
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  await telemetry[Symbol.asyncDispose]()
})

/** Days in the future, so that no run is old before the clock is set. */
const [first, second, third, fourth] = [1, 2, 3, 4].map((number) =>
  new Date(Date.now() + number * 86_400_000).toISOString().slice(0, 10),
) as [string, string, string, string]

async function run(score: number | undefined, day: string) {
  await using model = await startFlatModel(score)
  const lines: { level: number; alarm?: string }[] = []
  const logger = createLogger('info', 'test', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const at = new Date(`${day}T05:41:00Z`)
  const { judged, notJudged, published } = await runCanaries({ db: service.workerDb, logger, model: model.stages, at })
  return { judged, notJudged, published, logged: lines.at(-1) }
}

const numbers = async (staff = lead) =>
  (await (await staff.get('/numbers')).text()).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

async function scrape() {
  using _ = observeCanaries(service.workerDb, service.clock)
  await using health = await startHealthServer({
    ...{ host: '127.0.0.1', port: 0, telemetry },
    notReadyBecause: async () => null,
  })
  return (await fetch(`http://127.0.0.1:${health.port}/metrics`)).text()
}

test('every category has a canary, except the one without examples', () => {
  const covered = new Set(canaries.map(({ category }) => category))
  assert.deepEqual(
    policyCategoryIds.filter((id) => !covered.has(id)),
    ['sexual_minors'],
  )
  assert.equal(new Set(canaries.map(({ id }) => id)).size, canaries.length)
  for (const { id, category } of canaries) assert.ok(id.startsWith(`${category}-`), id)
})

test('a model that detects nothing lets some canaries pass, and every monitor raises an alarm', async () => {
  assert.match(await numbers(), /The canaries \(texts that must never be published\) have not run yet/)
  const { judged, notJudged, published, logged } = await run(0, first)
  assert.deepEqual([judged, notJudged], [canaries.length, 0])
  assert.ok(published.length > 0 && published.length < canaries.length, 'the rules catch the others')
  assert.equal(logged?.alarm, 'published')
  const [row] = await service.asOwner<object>('select day::text, judged, published, published_ids from canary_runs')
  assert.deepEqual(row, {
    ...{ day: first, judged: canaries.length, published: published.length, published_ids: published },
  })
  assert.match(
    await numbers(),
    new RegExp(`must never be published would have been published .*${published.join(', ')}`),
  )
  assert.match(await scrape(), new RegExp(`^broadside_canaries_published\\S* ${published.length}$`, 'm'))
  assert.equal((await service.asOwner('select id from posts')).length, 0, 'none of them is a post')
})

test('a successful run ends the alarm', async () => {
  const { published, logged } = await run(1, first)
  assert.deepEqual([published, logged?.alarm], [[], undefined])
  const all = `of ${canaries.length} canaries, ${canaries.length} were judged and 0 would have been published`
  assert.ok((await numbers()).includes(all))
  assert.match(await scrape(), /^broadside_canaries_published\S* 0$/m)
})

test('a model that does not answer raises an alarm on the second day', async () => {
  const once = await run(undefined, second)
  // A rule rejects one of them before any model is asked.
  assert.deepEqual([once.judged, once.notJudged, once.logged?.alarm], [1, canaries.length - 1, undefined])
  assert.equal((await run(undefined, third)).logged?.alarm, 'not_judged')
  assert.match(await numbers(), /The model did not judge all canaries/)
  assert.match(await scrape(), /^broadside_canaries_unjudged\S* 1$/m)
})

test('canaries that have not run for more than a day and a half raise an alarm', async () => {
  assert.equal((await run(1, fourth)).logged?.alarm, undefined)
  const at = Date.parse(`${fourth}T05:41:00Z`)
  const seenAfter = async (hours: number) => {
    service.clock.setOffset(at + hours * 3_600_000 - Date.now())
    // Earlier sessions have expired by now.
    const page = await numbers(await openStaff(service, { role: 'lead' }))
    return [/The canaries have not run for over/.test(page), /^broadside_canaries_stale\S* 1$/m.test(await scrape())]
  }
  assert.deepEqual(await seenAfter(35), [false, false])
  assert.deepEqual(await seenAfter(37), [true, true])
})
