import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { upholdAppeal } from '../../src/moderation/appeals/settle-appeal.ts'
import { applyDecision } from '../../src/moderation/decisions/apply-decision.ts'
import { decideReview, removePost } from '../../src/moderation/decisions/decide-by-person.ts'
import { connect } from '../../src/platform/database/database.ts'
import { returnReviewFees } from '../../src/posts/review/return-fees.ts'
import { openOwner } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { times } from '../../tooling/test-length.ts'
import { verifyTestLedger } from '../support/money/verify-ledger.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service[Symbol.asyncDispose]())

const hour = 3_600_000
const opening = 10_000_000
const priceMicros = 20_000
const linkMicros = 10_000
const feeMicros = priceMicros + linkMicros

type Account = Awaited<ReturnType<Service['createCustomer']>>
let written = 0

async function submit({ client }: Account): Promise<string> {
  await service.asOwner('truncate post_signatures')
  const { body } = await client.submitPost({ text: `Ferry notice ${++written}, see https://ferry.example/${written}` })
  assert.ok('id' in body)
  return body.id
}

const decideByModel = (postId: string, outcome: 'review' | 'publish') =>
  service.asWorker((tx, sites) =>
    applyDecision(tx, sites, {
      ...{ postId, edit: 0, outcome, category: null, from: ['queued'], at: service.clock.now() },
      by: { automated: true, actor: 'model:test' },
    }),
  )
const person = (postId: string) => ({ postId, actor: 'operator:test', at: service.clock.now() })
const decide = (id: string, outcome: 'publish' | 'low_quality' | 'abuse', category: 'spam' | 'low_quality' | null) =>
  service.asOperator((tx, sites) => decideReview(tx, sites, { ...person(id), outcome, category }))

/** What the sweep does this many hours from now. */
const sweep = (hours: number, db = service.workerDb) =>
  returnReviewFees({ db, at: new Date(service.clock.now().getTime() + hours * hour), feeReturnSeconds: 72 * 3_600 })

async function record({ client }: Account, id: string) {
  const { body } = await client.getPost(id)
  assert.ok('charged_micros' in body)
  return body
}
const balance = async ({ client }: Account) => (await client.getAccount()).body.balance_micros

test('the fee is returned once after 72 hours, even with two workers, and the post stays in review', async () => {
  const account = await service.createCustomer(opening)
  const id = await submit(account)
  await decideByModel(id, 'review')
  await sweep(71.9)
  assert.equal(await balance(account), opening - feeMicros)
  await using other = connect(service.database.urls.worker, { poolMax: 2, applicationName: 'test other worker' })
  await Promise.all([sweep(72), sweep(72, other.db), sweep(73), sweep(73, other.db)])
  assert.equal(await balance(account), opening)
  const { status, review, charged_micros, refunded_micros } = await record(account, id)
  assert.deepEqual([status, charged_micros, refunded_micros], ['review', feeMicros, feeMicros])
  assert.ok(review?.fee_returned_at)
  const read = async (path: string) => (await (await openOwner(service, account.id)).get(path)).text()
  assert.match(await read('/account/charges'), /Fee returned: the review took too long/)
  assert.match(
    await read(`/account/posts/${id}`),
    /The fee was returned on .* You will not be charged again if it is published/,
  )
  await decide(id, 'abuse', 'spam')
  assert.match(await read('/account/charges'), /Penalty for abuse, including the returned fee/)
  assert.equal((await record(account, id)).rejection?.refunded, false)
  assert.equal(await balance(account), opening - 10 * priceMicros - linkMicros)
})

test('the returned fee of an edit, and of a post that pays a debt', async () => {
  const account = await service.createCustomer(opening)
  const id = await submit(account)
  await decideByModel(id, 'publish')
  await account.client.editPost(id, { topics: ['ferries'] })
  await service.asWorker((tx, sites) =>
    applyDecision(tx, sites, {
      ...{ postId: id, edit: 1, outcome: 'review', category: null, from: ['queued'], at: service.clock.now() },
      by: { automated: true, actor: 'model:test' },
    }),
  )
  await sweep(72)
  assert.equal(await balance(account), opening - feeMicros)
  assert.ok((await record(account, id)).edit?.review?.fee_returned_at)
  await decide(id, 'low_quality', 'low_quality')
  assert.equal((await record(account, id)).edit?.rejection?.refunded, true)
  assert.equal(await balance(account), opening - feeMicros, 'nothing comes back twice')

  const poor = await service.createCustomer(2 * feeMicros)
  const [waiting, abusive] = [await submit(poor), await submit(poor)]
  await decideByModel(waiting, 'review')
  await decide(abusive, 'abuse', 'spam')
  const owed = async () => (await poor.client.getAccount()).body.owed_micros
  assert.equal(await owed(), 9 * priceMicros)
  await sweep(72)
  assert.deepEqual([await owed(), await balance(poor)], [9 * priceMicros - feeMicros, 0])
})

/** The cost of a post so far, according to the policy. */
type Stand = {
  status: 'queued' | 'review' | 'published' | 'rejected' | 'removed' | 'deleted'
  wasPublic: boolean
  /** The rejection in force: with or without a penalty. */
  refusal: 'abuse' | 'low_quality' | null
  feeIsBack: boolean
}
const costOf = ({ refusal, feeIsBack }: Stand) =>
  refusal === 'abuse' ? 10 * priceMicros + linkMicros : feeIsBack ? 0 : feeMicros

type Step = { act: (account: Account, id: string) => Promise<unknown>; makes: (stand: Stand) => Partial<Stand> }
const steps: Record<string, Step> = {
  'the model is unsure': {
    act: (_, id) => decideByModel(id, 'review'),
    makes: ({ status }) => (status === 'queued' ? { status: 'review' } : {}),
  },
  'the wait is too long': {
    act: () => sweep(72),
    makes: ({ status }) => (status === 'review' ? { feeIsBack: true } : {}),
  },
  'a person publishes': {
    act: (_, id) => decide(id, 'publish', null),
    makes: ({ status }) => (isOpen(status) ? { status: 'published', wasPublic: true } : {}),
  },
  'a person finds low quality': {
    act: (_, id) => decide(id, 'low_quality', 'low_quality'),
    makes: ({ status }) => (isOpen(status) ? { status: 'rejected', refusal: 'low_quality', feeIsBack: true } : {}),
  },
  'a person finds abuse': {
    act: (_, id) => decide(id, 'abuse', 'spam'),
    makes: ({ status }) => (isOpen(status) ? { status: 'rejected', refusal: 'abuse' } : {}),
  },
  'a person removes': {
    act: (_, id) => service.asOperator((tx, sites) => removePost(tx, sites, { ...person(id), category: 'spam' })),
    makes: ({ status }) => (status === 'published' ? { status: 'removed', refusal: 'abuse' } : {}),
  },
  'a person takes it back': {
    act: (_, id) => service.asOperator((tx, sites) => upholdAppeal(tx, sites, person(id))),
    makes: ({ status, refusal, wasPublic, feeIsBack }) =>
      refusal === null
        ? {}
        : {
            refusal: null,
            status: status === 'removed' ? 'published' : status,
            feeIsBack: feeIsBack || !wasPublic,
          },
  },
  'the author deletes': {
    act: ({ client }, id) => client.deletePost(id),
    makes: () => ({ status: 'deleted' }),
  },
}
const isOpen = (status: Stand['status']) => status === 'queued' || status === 'review'

test('Invariant 2: whatever happens to a post after its fee was returned, the ledger matches the policy', async () => {
  const account = await service.createCustomer(1_000_000_000)
  const names = Object.keys(steps)
  const history = fc.array(fc.constantFrom(...names, 'the wait is too long'), { minLength: 2, maxLength: 8 })
  const begun = ['the model is unsure', 'the wait is too long']
  const always = [
    [...begun, 'a person publishes', 'a person removes', 'a person takes it back', 'a person removes'],
    [...begun, 'a person finds abuse', 'a person takes it back', 'the author deletes'],
    [...begun, 'a person finds low quality', 'a person takes it back'],
    [...begun, 'the author deletes', 'the wait is too long'],
  ]
  await fc.assert(
    fc.asyncProperty(history, async (taken) => {
      await service.asOwner("update accounts set standing = 'good', strikes = 0 where id = $1", [account.id])
      // Otherwise the histories together would exceed a new account's daily quota of reviews.
      await service.asOwner('delete from reviews where account_id = $1', [account.id])
      const before = await balance(account)
      const id = await submit(account)
      let stand: Stand = { status: 'queued', wasPublic: false, refusal: null, feeIsBack: false }
      for (const name of taken) {
        const { act, makes } = steps[name] as Step
        await act(account, id)
        stand = { ...stand, ...makes(stand) }
        const { status, charged_micros, refunded_micros } = await record(account, id)
        const told = `${taken.join(', ')}: after ${name}`
        assert.equal(status, stand.status, told)
        assert.equal(charged_micros - refunded_micros, costOf(stand), told)
        assert.equal(before - (await balance(account)), costOf(stand), told)
      }
      // Deleted so that the sweep in the next generated history does not find it.
      await account.client.deletePost(id)
    }),
    { numRuns: times({ whole: 150, short: 15 }), examples: always.map((taken) => [taken]) },
  )
  const { sum_micros, difference_count } = await verifyTestLedger(service.database)
  assert.deepEqual([sum_micros, difference_count], ['0', 0])
})
