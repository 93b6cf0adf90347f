import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { isProblem } from '../../clients/typescript/src/index.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { upholdAppeal } from '../../src/moderation/appeals/settle-appeal.ts'
import { applyDecision } from '../../src/moderation/decisions/apply-decision.ts'
import { decideReview, removePost } from '../../src/moderation/decisions/decide-by-person.ts'
import { violatedConstraint } from '../../src/platform/database/database.ts'
import { editMoves, type PostStatus, postMoves, postStatuses } from '../../src/posts/status/lifecycle.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { times } from '../../tooling/test-length.ts'
import { seedPost } from '../support/posts/create-post.ts'

let service: Service
let account: Awaited<ReturnType<Service['createCustomer']>>
const message = kinds[0] as Kind
before(async () => {
  service = await startService()
  account = await service.createCustomer(1_000_000_000)
})
after(() => service[Symbol.asyncDispose]())

const person = (postId: string) => ({ postId, actor: 'operator:test', at: service.clock.now() })

/** Every trigger of a post, by any actor: its result for each status, and no effect on any other. */
type Trigger = { leads: Partial<Record<PostStatus, PostStatus>>; pull: (id: string) => Promise<unknown> }
const byModel = (
  outcome: 'publish' | 'abuse' | 'low_quality' | 'review',
  category: 'spam' | 'low_quality' | null,
  to: PostStatus,
): Trigger => ({
  leads: { queued: to },
  pull: (postId) =>
    service.asWorker((tx, sites) =>
      applyDecision(tx, sites, {
        ...{ postId, edit: 0, outcome, category, from: ['queued'], at: service.clock.now() },
        by: { automated: true, actor: 'model:test' },
      }),
    ),
})
const byPerson = (outcome: 'publish' | 'abuse', category: 'scam_fraud' | null, to: PostStatus): Trigger => ({
  leads: { queued: to, review: to },
  pull: (id) => service.asOperator((tx, sites) => decideReview(tx, sites, { ...person(id), outcome, category })),
})

const triggers: Record<string, Trigger> = {
  'the model accepts': byModel('publish', null, 'published'),
  'the model rejects': byModel('abuse', 'spam', 'rejected'),
  'the model finds low quality': byModel('low_quality', 'low_quality', 'rejected'),
  'the model is unsure': byModel('review', null, 'review'),
  'a person publishes': byPerson('publish', null, 'published'),
  'a person rejects': byPerson('abuse', 'scam_fraud', 'rejected'),
  'a person removes': {
    leads: { published: 'removed' },
    pull: (id) => service.asOperator((tx, sites) => removePost(tx, sites, { ...person(id), category: 'spam' })),
  },
  'a person restores': {
    leads: { removed: 'published' },
    pull: (id) => service.asOperator((tx, sites) => upholdAppeal(tx, sites, person(id))),
  },
  'the author deletes': {
    leads: { queued: 'deleted', review: 'deleted', published: 'deleted', rejected: 'deleted', removed: 'deleted' },
    pull: (id) => account.client.deletePost(id),
  },
  'the author appeals': { leads: {}, pull: (id) => refusable(account.client.appealPost(id, { message: 'No.' })) },
  'the author edits': {
    leads: {},
    pull: (id) => refusable(account.client.editPost(id, { topics: ['edited'] })),
  },
}
const names = Object.keys(triggers)
/** Triggers that few statuses allow are tried more often. */
const drawn = [...names, 'the model accepts', 'a person removes', 'a person restores']

/** Random sequences may miss a transition of the table; these start each run and cover all. */
const everyMove = [
  ['the model is unsure', 'a person publishes', 'a person removes', 'a person restores', 'a person removes'],
  ['the model accepts', 'a person removes', 'the author deletes'],
  ['the model is unsure', 'a person rejects', 'the author deletes'],
  ['the model is unsure', 'the author deletes'],
  ['the model accepts', 'the author deletes'],
  ['the model rejects'],
  ['the author deletes'],
]

const refusable = (call: Promise<unknown>) =>
  call.catch((error) =>
    assert.ok(isProblem(error, 'invalid_state', 'prefilter_refused', 'account_banned'), String(error)),
  )

/** Without strikes, and with all of a day's quotas. */
async function startAnew(): Promise<void> {
  await service.asOwner("update accounts set standing = 'good', strikes = 0 where id = $1", [account.id])
  await service.asOwner('truncate allowance_uses')
  await service.asOwner('delete from reviews where account_id = $1', [account.id])
}

async function statusOf(id: string): Promise<PostStatus> {
  const [row] = await service.asOwner<{ status: PostStatus }>('select status from posts where id = $1', [id])
  return (row as { status: PostStatus }).status
}

test('Invariant 3: random sequences of every trigger from every status follow the transition table', async () => {
  const seen = new Set<string>()
  const sequence = fc.array(fc.constantFrom(...drawn), { minLength: 3, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      await startAnew()
      await service.asOwner('truncate post_signatures')
      const id = await seedPost(service, message, { accountId: account.id, status: 'queued' })
      let status: PostStatus = 'queued'
      for (const step of steps) {
        const { leads, pull } = triggers[step] as Trigger
        await pull(id)
        const next: PostStatus = leads[status] ?? status
        assert.equal(await statusOf(id), next, `${step}, from ${status}`)
        assert.ok(next === status || postMoves[status].includes(next))
        seen.add(`${status} → ${next}`)
        status = next
      }
    }),
    { numRuns: times({ whole: 400, short: 75 }), examples: everyMove.map((steps) => [steps]) },
  )
  const moves = postStatuses.flatMap((from) => postMoves[from].map((to) => `${from} → ${to}`))
  assert.deepEqual(
    moves.filter((move) => !seen.has(move)),
    [],
    'every move of the table happened',
  )
})

test('Invariant 3: concurrent triggers leave one winner', async () => {
  const racing = fc.array(fc.constantFrom(...names), { minLength: 2, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(racing, async (steps) => {
      await startAnew()
      const id = await seedPost(service, message, { accountId: account.id, status: 'queued' })
      await Promise.all(steps.map((step) => triggers[step]?.pull(id)))
      const rows = await service.asOwner<{ automated: boolean }>(
        'select automated from moderation_decisions where post_id = $1',
        [id],
      )
      assert.ok(rows.filter(({ automated }) => automated).length <= 1, 'the machine decides once')
      if (steps.includes('the author deletes')) assert.equal(await statusOf(id), 'deleted')
    }),
    { numRuns: times({ whole: 200, short: 30 }) },
  )
})

test('Invariant 3: the database itself refuses every transition that is not in the table', async () => {
  for (const from of postStatuses)
    for (const to of postStatuses) {
      const id = await seedPost(service, message, { accountId: account.id, status: from })
      const outcome = await service
        .asOwner(
          `update posts set status = $2::post_status, published_at = coalesce(published_at, created_at),
             content = case when $2 = 'deleted' then null else '{}'::jsonb end, listed = false
           where id = $1`,
          [id, to],
        )
        .then(() => 'moved', violatedConstraint)
      const expected = from === to || postMoves[from].includes(to) ? 'moved' : 'post_moves'
      assert.equal(outcome, expected, `${from} → ${to}`)
    }
})

test('the database refuses a post that does not start as queued, and every invalid transition of an edit', async () => {
  const [{ id } = { id: '' }] = await service.asOwner<{ id: string }>('select id from posts limit 1')
  const insert = `insert into posts (id, account_id, kind, status, content, facets, published_at, created_at)
    select 'post_0' || repeat('1', 25), account_id, kind, 'published', '{}', '{}', created_at, created_at from posts where id = $1`
  await assert.rejects(service.asOwner(insert, [id]), (error) => violatedConstraint(error) === 'post_moves')
  const statuses = Object.keys(editMoves) as (keyof typeof editMoves)[]
  let number = 0
  for (const from of statuses)
    for (const to of statuses) {
      const post = await seedPost(service, message, { accountId: account.id, status: 'published' })
      number++
      await service.asOwner(
        "insert into post_edits (post_id, number, status, facets, submitted_at) values ($1, $2, 'queued', '{}', $3)",
        [post, number, service.clock.now()],
      )
      const move = 'update post_edits set status = $3::edit_status where post_id = $1 and number = $2'
      if (from !== 'queued') await service.asOwner(move, [post, number, from])
      const outcome = await service.asOwner(move, [post, number, to]).then(() => 'moved', violatedConstraint)
      assert.equal(outcome, from === to || editMoves[from].includes(to) ? 'moved' : 'edit_moves', `${from} → ${to}`)
    }
})
