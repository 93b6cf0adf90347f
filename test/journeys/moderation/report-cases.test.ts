import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { enqueue } from '../../../src/jobs/enqueue.ts'
import { runOperator } from '../../../tooling/environment/processes.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { openReportFixture, type ReportFixture } from '../../support/desk/report-fixture.ts'

let service: Service
let author: Awaited<ReturnType<Service['createCustomer']>>
let here: ReportFixture
before(async () => {
  service = await startService({ judges: true })
  author = await service.createCustomer(10_000_000)
  here = openReportFixture(service, author.id)
})
after(() => service[Symbol.asyncDispose]())

const outcomesOf = async (postId: string) => (await here.casesOf(postId)).map(({ outcome }) => outcome)
const run = (...args: string[]) => runOperator(service.settings, ...args)
/** Closes a case as the desk does. */
const dismiss = (postId: string) =>
  service.asOwner(
    "update report_cases set closed_at = $2, outcome = 'dismissed' where post_id = $1 and closed_at is null",
    [postId, service.clock.now()],
  )
/** Runs a job as its schedule would. */
const runJob = async (name: 'settle-reports' | 'purge-expired') => {
  await service.asWorker((tx) => enqueue(tx, name, {}))
  await service.settle()
}

suite('reports of one post are one case', () => {
  test('even when 30 arrive at the same moment', async () => {
    const post_id = await here.seed()
    await Promise.all(Array.from({ length: 30 }, () => here.accepted({ post_id })))
    assert.deepEqual(await here.casesOf(post_id), [{ number: 1, outcome: null, reports: 30 }])
  })

  test('until a reviewer has decided; later reports become the next case', async () => {
    const post_id = await here.seed()
    await here.accepted({ post_id })
    await dismiss(post_id)
    await here.accepted({ post_id })
    await here.accepted({ post_id })
    assert.deepEqual(await here.casesOf(post_id), [
      { number: 1, outcome: 'dismissed', reports: 1 },
      { number: 2, outcome: null, reports: 2 },
    ])
  })
})

suite('the operator', () => {
  test('reads a case: each report with its text and address', async () => {
    const post_id = await here.seed()
    const id = await here.accepted({ post_id, detail: 'Says\n"pay first".', contact_email: 'reader@example.com' })
    const { json } = await run('reports', 'show', post_id)
    const { reports, status, url } = json as { reports: Record<string, unknown>[]; status: string; url: string }
    assert.deepEqual([status, url], ['published', `${service.baseUrl}/p/${post_id}`])
    const [{ received_at, ...report } = {}] = reports
    assert.ok(received_at)
    const written = { category: 'spam', detail: 'Says\n"pay first".', contact_email: 'reader@example.com' }
    assert.deepEqual(report, { id, ...written, account_id: null })
  })

  test('removes the post, which closes its case', async () => {
    const post_id = await here.seed()
    await here.accepted({ post_id })
    assert.equal((await run('remove', post_id, 'spam')).code, 0)
    assert.deepEqual(await outcomesOf(post_id), ['removed'])
  })

  test('gets a one-line message when there is nothing to read', async () => {
    const wrong: [string, RegExp][] = [
      [await here.seed(), /^There are no open reports for post_\w{26}\.$/],
      ['post_short', /^A post ID is post_/],
      ['post_01jcmzq8e5f7r9t2v4x6y8z0ab', /^There is no post/],
    ]
    for (const [postId, message] of wrong) {
      const { code, stderr } = await run('reports', 'show', postId)
      assert.equal(code, 1)
      assert.match(stderr.trim(), message)
    }
  })
})

suite('scheduled changes', () => {
  const day = 86_400_000

  test('a case is closed when its post is gone, and not while its post exists', async () => {
    const [deleted, removed, standing] = [await here.seed(), await here.seed(), await here.seed()]
    for (const post_id of [deleted, removed, standing]) await here.accepted({ post_id })
    await author.client.deletePost(deleted)
    await service.asOwner("update posts set status = 'removed', listed = false where id = $1", [removed])
    await runJob('settle-reports')
    const outcomes = await Promise.all([deleted, removed, standing].map(outcomesOf))
    assert.deepEqual(outcomes.flat(), ['withdrawn', 'removed', null])
  })

  test('90 days after a case was closed, the reporters’ text is erased; an open case keeps it', async () => {
    const [closed, open] = [await here.seed(), await here.seed()]
    for (const post_id of [closed, open])
      await here.accepted({ post_id, detail: 'Words.', contact_email: 'me@example.com' })
    await dismiss(closed)
    const [written, forgotten] = [
      { detail: 'Words.', contact_email: 'me@example.com' },
      { detail: null, contact_email: null },
    ]
    const textsOf = async (id: string) =>
      service.asOwner('select detail, contact_email from reports where post_id = $1', [id])
    service.clock.setOffset(90 * day - 1_200_000)
    await runJob('purge-expired')
    assert.deepEqual(await textsOf(closed), [written])
    service.clock.setOffset(90 * day)
    await runJob('purge-expired')
    service.clock.setOffset(0)
    assert.deepEqual([...(await textsOf(closed)), ...(await textsOf(open))], [forgotten, written])
    assert.deepEqual(await outcomesOf(closed), ['dismissed'], 'that there was a case stays known')
  })
})

test('metrics show how many cases wait, and for how long', async () => {
  await service.asOwner('truncate report_cases, reports')
  const post_id = await here.seed()
  await here.accepted({ post_id })
  await service.asOwner("update report_cases set opened_at = opened_at - interval '1 hour'")
  const text = await service.readMetrics()
  assert.match(text, /^reports_cases_open\S* 1$/m)
  assert.match(text, /^reports_cases_oldest_seconds\S* 36\d\d/m)
})
