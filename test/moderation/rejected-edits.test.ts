import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { keptMsOf } from '../../src/contract/retention/periods.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { dismissAppeal, upholdAppeal } from '../../src/moderation/appeals/settle-appeal.ts'
import { connect, violatedConstraint } from '../../src/platform/database/database.ts'
import { openOwner } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

type Account = Awaited<ReturnType<Service['createCustomer']>>
type Row = { status: string; content: object | null; facets: object; links: string[]; signatures: number }

const mark = 'quokkaword'
const rejectedWords = { text: `verdict-reject-spam ${mark} at https://example.com/x`, topics: ['kept-for-judges'] }
const kept = { content: rejectedWords, facets: { topics: ['kept-for-judges'] }, links: ['https://example.com/x'] }
const erased = { content: null, facets: {}, links: [] }

/** A published post whose edits the model judged one after the other. */
async function edited({ client }: Account, ...edits: { text: string; topics?: string[] }[]): Promise<string> {
  const { body } = await client.submitPost({ text: `The sluice is open, number ${crypto.randomUUID()}.` })
  assert.ok('id' in body)
  await service.settle()
  for (const edit of edits) {
    await client.editPost(body.id, edit)
    await service.settle()
  }
  return body.id
}

async function rowOf(postId: string, number = 1): Promise<Row | undefined> {
  const rows = await service.asOwner<Row>(
    `select status, content, facets, links,
       (select count(*)::int from post_signatures where post_id = $1 and edit = $2) as signatures
     from post_edits where post_id = $1 and number = $2`,
    [postId, number],
  )
  return rows[0]
}
const rejected = (what: typeof kept | typeof erased) => ({ status: 'rejected', ...what, signatures: 0 })

async function sweepAfter(milliseconds: number): Promise<void> {
  service.clock.setOffset(milliseconds)
  await service.asWorker((tx) => enqueue(tx, 'purge-expired', {}))
  await service.settle()
}

test('the text of an edit that the model rejects is kept for reviewers, and shown to nobody else', async () => {
  const account = await service.createCustomer()
  const id = await edited(account, rejectedWords, { text: 'The sluice is shut until the spring tide.' })
  assert.deepEqual(await rowOf(id), rejected(kept), 'an edit that is accepted later takes nothing away')
  assert.deepEqual(await rowOf(id, 2), { status: 'accepted', ...erased, signatures: 1 })
  const owner = await openOwner(service, account.id)
  const publicPost = (await service.client().getPost(id)).body
  const shown = [
    JSON.stringify(publicPost),
    JSON.stringify((await account.client.getPost(id)).body),
    JSON.stringify((await account.client.listEvents()).body),
    await (await fetch('url' in publicPost ? String(publicPost.url) : '')).text(),
    await (await owner.get(`/account/posts/${id}`)).text(),
  ]
  for (const text of shown) {
    assert.match(text, new RegExp(id))
    assert.ok(!text.includes(mark))
  }
})

test('deleting a post also deletes the texts of its rejected edits', async () => {
  const account = await service.createCustomer()
  const id = await edited(account, rejectedWords, { text: `verdict-low-quality ${mark}` })
  await account.client.appealPost(id, { message: 'It quotes a flyer.' })
  await account.client.deletePost(id)
  for (const number of [1, 2]) assert.deepEqual(await rowOf(id, number), rejected(erased))
})

test('the text is deleted 30 days after the decision, or when an appeal open at that time is decided', async () => {
  const account = await service.createCustomer()
  const [plain, appealed] = [await edited(account, rejectedWords), await edited(account, rejectedWords)]
  await account.client.appealPost(appealed, { message: 'It quotes a flyer.' })
  const due = keptMsOf('rejected-edits')
  await sweepAfter(due - 1_200_000)
  assert.deepEqual([await rowOf(plain), await rowOf(appealed)], [rejected(kept), rejected(kept)])
  await sweepAfter(due)
  assert.deepEqual([await rowOf(plain), await rowOf(appealed)], [rejected(erased), rejected(kept)])

  const person = { actor: 'operator:test', at: service.clock.now() }
  await service.asOperator((tx) => dismissAppeal(tx, { ...person, postId: appealed, edit: 1 }))
  await sweepAfter(due)
  assert.deepEqual(await rowOf(appealed), rejected(erased))

  const { body: late } = await account.client.appealPost(plain, { message: 'I was away.' })
  assert.equal(late.edit?.rejection?.appeal?.status, 'open')
  const before = (await account.client.getAccount()).body
  await service.asOperator((tx, sites) => upholdAppeal(tx, sites, { ...person, postId: plain }))
  const { balance_micros, strikes } = (await account.client.getAccount()).body
  service.clock.setOffset(0)
  assert.ok(balance_micros > before.balance_micros, 'an appeal without a text still brings the money back')
  assert.equal(strikes, before.strikes - 1)
})

test('closing the account deletes them too, appealed or not', async () => {
  const account = await service.createCustomer()
  const [plain, appealed] = [await edited(account, rejectedWords), await edited(account, rejectedWords)]
  await account.client.appealPost(appealed, { message: 'It quotes a flyer.' })
  const owner = await openOwner(service, account.id)
  assert.equal((await owner.post('/account/deletion', { word: 'DELETE' })).status, 303)
  await service.settle()
  assert.deepEqual([await rowOf(plain), await rowOf(appealed)], [rejected(erased), rejected(erased)])
})

test('the database refuses a text in an accepted or cancelled edit, and a partly erased one', async () => {
  const account = await service.createCustomer()
  const id = await edited(account, { text: `verdict-review ${mark}` })
  const end = (status: string, content: string | null, facets: string) =>
    service
      .asOwner('update post_edits set status = $2::edit_status, content = $3, facets = $4 where post_id = $1', [
        ...[id, status, content, facets],
      ])
      .then(() => 'taken', violatedConstraint)
  for (const status of ['accepted', 'cancelled']) {
    assert.equal(await end(status, '{"text":"x"}', '{}'), 'over_is_erased')
    assert.equal(await end(status, null, '{"topics":["x"]}'), 'erased_as_a_whole')
  }
  assert.equal(await end('rejected', null, '{"topics":["x"]}'), 'erased_as_a_whole')
})

test('the API can erase the text of a rejected edit but change nothing else, and cannot reject one', async () => {
  const account = await service.createCustomer()
  const id = await edited(account, rejectedWords, { text: `verdict-review ${mark}` })
  await using connection = connect(service.database.urls.api, { poolMax: 1, applicationName: 'test role' })
  const tryAs = (change: string, number: number) =>
    connection.pool.query(`update post_edits set ${change} where post_id = $1 and number = $2`, [id, number]).then(
      () => 'done',
      ({ code }) => code,
    )
  assert.equal(await tryAs(`content = '{"text":"forged"}'`, 1), '42501')
  assert.equal(await tryAs("status = 'rejected', content = null, facets = '{}', links = '{}'", 2), '42501')
  assert.equal(await tryAs("content = null, facets = '{}', links = '{}'", 2), '42501')
  assert.equal(await tryAs("content = null, facets = '{}', links = '{}'", 1), 'done')
})
