import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem } from '../../clients/typescript/src/index.ts'
import { draftLimits } from '../../src/contract/draft-limits.ts'
import type { ProblemCode } from '../../src/contract/problems/problems.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { createAuthor, decide, draftEvents, runSweep, submitDraftOf } from '../support/drafts/draft-fixture.ts'

const hour = 3_600_000
const day = 24 * hour

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

const inHours = (hours: number) => new Date(service.clock.now().getTime() + hours * hour)
const refusal = (call: Promise<unknown>, ...codes: ProblemCode[]) =>
  assert.rejects(call, (error) => isProblem(error, ...codes))

test('at most 100 drafts can wait, also when they arrive together', async () => {
  const author = await createAuthor(service)
  await service.asOwner(
    `insert into drafts (id, account_id, key_id, kind, content, total_micros, state, expires_at, created_at)
     select 'draft_0' || lpad(i::text, 25, '0'), $1, $2, 'message', '{"text": "x"}', 1, 'awaiting_approval', $3, $3
     from generate_series(1, $4::int) i`,
    [author.id, author.approvedKey.id, inHours(24), draftLimits.maxOpen - 2],
  )
  const answers = await Promise.allSettled(Array.from({ length: 5 }, () => submitDraftOf(author.waiting)))
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  assert.equal(refused.length, 3)
  assert.ok(refused.every((error) => isProblem(error, 'too_many_drafts')))
  await service.asOwner('delete from drafts where account_id = $1', [author.id])
})

test('an account can create 1,000 drafts a day', async () => {
  const author = await createAuthor(service)
  const at = service.clock.now().toISOString().slice(0, 10)
  await service.asOwner(
    `insert into allowance_uses (allowance, subject, day, used) values ('drafts-per-account', $1, $2, 999)`,
    [author.id, at],
  )
  const draft = await submitDraftOf(author.waiting)
  await author.waiting.cancelDraft(draft.id)
  await refusal(submitDraftOf(author.waiting), 'rate_limited')
})

test('an unapproved draft expires after seven days, or a day after its time', async () => {
  const author = await createAuthor(service)
  const soon = await submitDraftOf(author.waiting)
  const later = await submitDraftOf(author.waiting, { publishAt: inHours(10 * 24) })
  assert.equal(Date.parse(String(later.expires_at)) - Date.parse(String(later.publish_at)), day)
  const statesAt = async (offset: number) => {
    service.clock.setOffset(offset)
    await runSweep(service, 'expire-drafts')
    const states = [soon, later].map(async ({ id }) => (await author.waiting.getDraft(id)).body.state)
    return Promise.all(states)
  }
  assert.deepEqual(await statesAt(7 * day - hour), ['awaiting_approval', 'awaiting_approval'])
  assert.deepEqual(await statesAt(7 * day + hour), ['expired', 'awaiting_approval'])
  assert.deepEqual(await decide(service, author.id, 'approve', [soon.id]), { decided: 0, unchanged: 1 })
  assert.deepEqual(await statesAt(11 * day + hour), ['expired', 'expired'])
  service.clock.setOffset(0)
  const events = await draftEvents(author)
  assert.deepEqual(
    events.map(({ type }) => type),
    ['draft.expired', 'draft.expired'],
  )
  assert.equal((await author.waiting.getDraft(soon.id)).body.content, null)
})

test('an expired draft cannot be approved before the sweep has found it', async () => {
  const author = await createAuthor(service)
  const draft = await submitDraftOf(author.waiting)
  service.clock.setOffset(7 * day + 1_000)
  assert.deepEqual(await decide(service, author.id, 'approve', [draft.id]), { decided: 0, unchanged: 1 })
  service.clock.setOffset(0)
})

test('a draft is deleted 30 days after it ended', async () => {
  const author = await createAuthor(service)
  const draft = await submitDraftOf(author.waiting)
  await author.waiting.cancelDraft(draft.id)
  service.clock.setOffset(30 * day - hour)
  await runSweep(service, 'purge-expired')
  assert.equal((await author.waiting.getDraft(draft.id)).body.state, 'cancelled')
  service.clock.setOffset(30 * day + 1_000)
  await runSweep(service, 'purge-expired')
  await refusal(author.waiting.getDraft(draft.id), 'draft_not_found')
  service.clock.setOffset(0)
})
