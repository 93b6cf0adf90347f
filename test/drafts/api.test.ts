import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem } from '../../clients/typescript/src/index.ts'
import type { ProblemCode } from '../../src/contract/problems/problems.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { seedKey } from '../support/accounts/create-key.ts'
import {
  balanceOf,
  createAuthor,
  decide,
  draftEvents,
  newText,
  runSweep,
  submitDraftOf,
  submitWaiting,
} from '../support/drafts/draft-fixture.ts'
import { callTool } from '../support/mcp/call-tool.ts'

const hour = 3_600_000
const day = 24 * hour
const price = 20_000

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

const inHours = (hours: number) => new Date(service.clock.now().getTime() + hours * hour)
const refusal = (call: Promise<unknown>, ...codes: ProblemCode[]) =>
  assert.rejects(call, (error) => isProblem(error, ...codes))

test('a post that needs approval is a draft that costs nothing, until the owner approves it', async () => {
  const author = await createAuthor(service, 1_000_000)
  const text = newText()
  const { draft, account_url, for_human } = await submitWaiting(author.waiting, { text })
  assert.equal(draft.state, 'awaiting_approval')
  assert.equal(draft.total_micros, price)
  assert.equal(Date.parse(String(draft.expires_at)) - Date.parse(draft.created_at), 7 * day)
  assert.ok(account_url?.startsWith(`${service.accountPageUrl}/o/`))
  assert.equal(for_human, true)
  const { body: read } = await author.waiting.getDraft(draft.id)
  assert.deepEqual(read.content, { text, topics: [] })
  assert.equal(read.content_trust, 'untrusted-user-content')
  assert.equal(await balanceOf(author), 1_000_000)

  assert.deepEqual(await decide(service, author.id, 'approve', [draft.id]), { decided: 1, unchanged: 0 })
  await service.settle()
  const { body: submitted } = await author.waiting.getDraft(draft.id)
  assert.equal(submitted.state, 'submitted')
  assert.equal(submitted.content, null, 'the text is with the post now')
  const { body: post } = await author.client.getPost(String(submitted.post_id))
  assert.ok('status' in post && post.status === 'published')
  assert.equal(post.charged_micros, price)
  assert.equal(await balanceOf(author), 1_000_000 - price)
  const [event, ...more] = await draftEvents(author)
  assert.deepEqual(more, [])
  assert.equal(event?.type, 'draft.submitted')
  assert.deepEqual(event?.data, {
    ...{ id: draft.id, kind: 'message', state: 'submitted', post_id: submitted.post_id },
  })
})

test('a declined draft loses its text, costs nothing and is announced', async () => {
  const author = await createAuthor(service, 1_000_000)
  const draft = await submitDraftOf(author.waiting)
  await decide(service, author.id, 'decline', [draft.id])
  await service.settle()
  const { body } = await author.waiting.getDraft(draft.id)
  assert.deepEqual([body.state, body.content, body.post_id], ['declined', null, undefined])
  assert.equal(await balanceOf(author), 1_000_000)
  assert.deepEqual(
    (await draftEvents(author)).map(({ type, data }) => [type, data.id]),
    [['draft.declined', draft.id]],
  )
})

test('a scheduled post is submitted at its time and not before, and needs no approval', async () => {
  const author = await createAuthor(service, 1_000_000)
  const publishAt = inHours(48)
  const answer = await submitWaiting(author.client, { text: newText(), publishAt })
  assert.deepEqual(Object.keys(answer), ['draft'], 'the owner need not act')
  assert.equal(answer.draft.state, 'scheduled')
  assert.equal(answer.draft.publish_at, publishAt.toISOString())
  assert.equal(answer.draft.expires_at, null)
  service.clock.setOffset(48 * hour - 60_000)
  await runSweep(service, 'submit-due-drafts')
  assert.equal((await author.client.getDraft(answer.draft.id)).body.state, 'scheduled')
  service.clock.setOffset(48 * hour + 1_000)
  await runSweep(service, 'submit-due-drafts')
  service.clock.setOffset(0)
  const { body } = await author.client.getDraft(answer.draft.id)
  assert.equal(body.state, 'submitted')
  assert.equal(await balanceOf(author), 1_000_000 - price)
})

test('a draft with a time and approval needs both; a late approval submits it at once', async () => {
  const author = await createAuthor(service, 1_000_000)
  const early = await submitDraftOf(author.waiting, { publishAt: inHours(24) })
  const late = await submitDraftOf(author.waiting, { publishAt: inHours(24) })
  await decide(service, author.id, 'approve', [early.id])
  await service.settle()
  const stateOf = async ({ id }: { id: string }) => (await author.waiting.getDraft(id)).body.state
  assert.equal(await stateOf(early), 'scheduled')
  service.clock.setOffset(24 * hour + 1_000)
  await runSweep(service, 'submit-due-drafts')
  assert.deepEqual([await stateOf(early), await stateOf(late)], ['submitted', 'awaiting_approval'])
  await decide(service, author.id, 'approve', [late.id])
  await service.settle()
  service.clock.setOffset(0)
  assert.equal(await stateOf(late), 'submitted')
})

test('publish_at must be in the next 30 days, and the refusal says so', async () => {
  const { client } = await createAuthor(service)
  for (const publishAt of [inHours(-1), inHours(30 * 24 + 1)])
    await assert.rejects(
      client.submitPost({ text: newText() }, { publish_at: publishAt.toISOString() }),
      (error) => isProblem(error, 'invalid_query') && /30 days ahead/.test(JSON.stringify(error.document)),
    )
  await refusal(client.submitPost({ text: newText() }, { publish_at: 'tomorrow' }), 'invalid_query')
  await submitDraftOf(client, { publishAt: inHours(30 * 24 - 1) })
})

test('a draft is validated and prefiltered like a post, and the balance does not matter', async () => {
  const author = await createAuthor(service, 1)
  await refusal(author.waiting.submitPost({ text: '' }), 'validation_failed')
  await refusal(author.waiting.submitPost({ text: 'My card is 4539 5787 6362 1486, take it.' }), 'prefilter_refused')
  const draft = await submitDraftOf(author.waiting)
  await decide(service, author.id, 'approve', [draft.id])
  await service.settle()
  const { body } = await author.waiting.getDraft(draft.id)
  assert.equal(body.state, 'failed')
  assert.equal(body.problem?.code, 'insufficient_balance')
  assert.ok(body.content, 'the agent can read what failed')
  assert.equal(await balanceOf(author), 1)
  const [event] = await draftEvents(author)
  assert.deepEqual([event?.type, event?.data.problem], ['draft.failed', { code: 'insufficient_balance' }])
})

test('a past event cannot be scheduled after it has ended', async () => {
  const author = await createAuthor(service)
  const client = service.client(author.api_key, 'event')
  const event = {
    ...{ title: 'Harbour cleaning day', text: 'We meet at the ferry terminal and clean the quay together.' },
    ...{ starts_at: inHours(24).toISOString(), ends_at: inHours(26).toISOString(), online: true },
  }
  const answer = await client.submitPost(event as never, { publish_at: inHours(30).toISOString() }).then(
    () => null,
    (error) => error,
  )
  assert.ok(isProblem(answer, 'validation_failed'), String(answer))
})

test('a repeated submission gets the first draft; another time with the same key is refused', async () => {
  const author = await createAuthor(service)
  const [text, idempotencyKey, publishAt] = [newText(), crypto.randomUUID(), inHours(2)]
  const first = await submitWaiting(author.waiting, { text, publishAt, idempotencyKey })
  const again = await submitWaiting(author.waiting, { text, publishAt, idempotencyKey })
  assert.deepEqual(again, first)
  await refusal(
    submitWaiting(author.waiting, { text, publishAt: inHours(3), idempotencyKey }),
    'idempotency_key_reused',
  )
  await refusal(submitWaiting(author.waiting, { text, idempotencyKey }), 'idempotency_key_reused')
  assert.equal((await author.waiting.listDrafts()).body.data.length, 1)
  service.clock.setOffset(3 * hour)
  assert.deepEqual(
    await submitWaiting(author.waiting, { text, publishAt, idempotencyKey }),
    first,
    'also after its time',
  )
  service.clock.setOffset(0)
})

test('the tool that publishes returns a draft if the key needs approval, or for a time', async () => {
  const author = await createAuthor(service, 1_000_000)
  const publish = async (apiKey: string, given: object) => {
    const { result } = await callTool(service.baseUrl, 'publish_message', { text: newText(), ...given }, { apiKey })
    assert.ok(result?.structuredContent, JSON.stringify(result))
    return (result.structuredContent as { draft?: { state: string } }).draft?.state
  }
  assert.equal(await publish(author.approvedKey.apiKey, {}), 'awaiting_approval')
  assert.equal(await publish(author.api_key, { publish_at: inHours(2).toISOString() }), 'scheduled')
  assert.equal(await publish(author.api_key, {}), undefined)
  assert.equal(await balanceOf(author), 1_000_000 - price)
})

test('parallel repeats with one Idempotency-Key create one draft', async () => {
  const author = await createAuthor(service)
  const [text, idempotencyKey] = [newText(), crypto.randomUUID()]
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => submitWaiting(author.waiting, { text, idempotencyKey })),
  )
  assert.equal(new Set(answers.map(({ draft }) => draft.id)).size, 1)
  assert.equal((await author.waiting.listDrafts()).body.data.length, 1)
})

test('a dry run checks the draft and stores nothing', async () => {
  const author = await createAuthor(service, 5)
  for (const query of [{}, { publish_at: inHours(5).toISOString() }]) {
    const { status, body } = await author.waiting.submitPost({ text: newText() }, { ...query, dry_run: 'true' })
    assert.equal(status, 200)
    assert.ok('dry_run' in body)
    assert.deepEqual([body.charge.total_micros, body.balance_after_micros], [price, 5])
  }
  const past = { publish_at: inHours(-5).toISOString(), dry_run: 'true' } as const
  await refusal(author.waiting.submitPost({ text: newText() }, past), 'invalid_query')
  assert.deepEqual((await author.waiting.listDrafts()).body.data, [])
})

test('cancelling is free and repeatable while the draft waits, and refused once it is a post', async () => {
  const author = await createAuthor(service, 1_000_000)
  const waits = await submitDraftOf(author.waiting)
  const scheduled = await submitDraftOf(author.client, { publishAt: inHours(1) })
  for (const { id } of [waits, scheduled, waits]) {
    const { body } = await author.waiting.cancelDraft(id)
    assert.deepEqual([body.state, body.content], ['cancelled', null])
  }
  assert.deepEqual(await decide(service, author.id, 'approve', [waits.id]), { decided: 0, unchanged: 1 })
  service.clock.setOffset(2 * hour)
  await runSweep(service, 'submit-due-drafts')
  service.clock.setOffset(0)
  assert.equal(await balanceOf(author), 1_000_000)
  assert.deepEqual(await draftEvents(author), [], 'the agent knows what it did')
  const submitted = await submitDraftOf(author.waiting)
  await decide(service, author.id, 'approve', [submitted.id])
  await service.settle()
  await refusal(author.waiting.cancelDraft(submitted.id), 'invalid_state')
})

test('drafts are listed newest first, by state and in pages', async () => {
  const author = await createAuthor(service)
  const ids: string[] = []
  for (let count = 0; count < 5; count++) ids.unshift((await submitDraftOf(author.waiting)).id)
  await author.waiting.cancelDraft(String(ids[2]))
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const { body } = await author.client.listDrafts({ limit: 2, ...(cursor && { cursor }) })
    pages.push(body.data.map(({ id }) => id))
    cursor = body.next_cursor ?? undefined
  } while (cursor)
  assert.deepEqual(pages, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
  const { body } = await author.client.listDrafts({ state: 'cancelled' })
  assert.deepEqual(
    body.data.map(({ id }) => id),
    [ids[2]],
  )
})

test('other accounts, keys without the scope and the public cannot see or cancel a draft', async () => {
  const [author, other] = [await createAuthor(service), await createAuthor(service)]
  const text = newText()
  const { draft } = await submitWaiting(author.waiting, { text })
  await refusal(other.client.getDraft(draft.id), 'draft_not_found')
  await refusal(other.client.cancelDraft(draft.id), 'draft_not_found')
  assert.deepEqual((await other.client.listDrafts()).body.data, [])
  await refusal(service.client().getDraft(draft.id), 'missing_api_key')
  await refusal(service.client().getPost(draft.id.replace('draft', 'post')), 'post_not_found')
  const reader = await seedKey(service, { accountId: author.id, slot: 3, scopes: ['read'] })
  await refusal(service.client(reader.apiKey).cancelDraft(draft.id), 'insufficient_scope')
  assert.equal((await service.client(reader.apiKey).getDraft(draft.id)).body.state, 'awaiting_approval')
  const word = text.split(' ')[3] as string
  assert.deepEqual((await service.client().searchPosts({ q: word })).body.data, [])
  assert.ok(!JSON.stringify((await service.client().browsePosts({ limit: 100 })).body).includes(word))
  assert.deepEqual(await decide(service, other.id, 'approve', [draft.id]), { decided: 0, unchanged: 1 })
  assert.equal((await author.waiting.getDraft(draft.id)).body.state, 'awaiting_approval')
})
