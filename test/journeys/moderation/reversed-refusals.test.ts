import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem, type PostStatus } from '../../../clients/typescript/src/index.ts'
import { dismissAppeal, upholdAppeal } from '../../../src/moderation/appeals/settle-appeal.ts'
import { removePost } from '../../../src/moderation/decisions/decide-by-person.ts'
import { openOwner } from '../../../tooling/clients/owner.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { eightWords } from '../../support/posts/eight-words.ts'

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

type Account = Awaited<ReturnType<Service['createCustomer']>>

/** Letters only: digits can look like a telephone number, which a person must review. */
const uniqueWord = () => crypto.randomUUID().replaceAll(/[\d-]/g, (sign) => 'ghijklmnop'.charAt(Number(sign)))

async function submit({ client }: Account, text = 'The slipway opens at eight, number'): Promise<string> {
  const { body } = await client.submitPost({ text: `${text} ${uniqueWord()}: ${eightWords().join(', ')}.` })
  assert.ok('id' in body)
  await service.settle()
  return body.id
}
async function edit({ client }: Account, id: string, text: string) {
  await client.editPost(id, { text: `${text} ${uniqueWord()}` })
  await service.settle()
}
async function record({ client }: Account, id: string): Promise<PostStatus> {
  const { body } = await client.getPost(id)
  assert.ok('status' in body)
  return body
}
const money = async ({ client }: Account) => {
  const { balance_micros, owed_micros, strikes } = (await client.getAccount()).body
  return { balance_micros, owed_micros, strikes }
}
const person = (postId: string) => ({ postId, actor: 'operator:test', at: service.clock.now() })
const uphold = (id: string) => service.asOperator((tx, sites) => upholdAppeal(tx, sites, person(id)))
/** The owner's notifications about appeals and reversals, in order. */
const told = async ({ id }: Account) => {
  const rows = await service.asOwner<{ told: string }>(
    `select concat_ws(' ', data ->> 'about', data ->> 'subject') as told from pgboss.job_common
     where name = 'tell-owner' and data ->> 'account_id' = $1
       and data ->> 'about' in ('appeal_decided', 'refusal_taken_back') order by created_on, id`,
    [id],
  )
  return rows.map((row) => row.told)
}
const remove = (id: string) =>
  service.asOperator((tx, sites) => removePost(tx, sites, { ...person(id), category: 'scam_fraud' }))

test('an appeal reverses the appealed rejection, not a later one', async () => {
  const account = await service.createCustomer(1_000_000)
  const id = await submit(account)
  await edit(account, id, 'verdict-reject-spam')
  await account.client.appealPost(id, { message: 'It quotes a flyer.' })
  await edit(account, id, 'verdict-low-quality')
  assert.deepEqual(await money(account), { balance_micros: 880_000, owed_micros: 0, strikes: 1 })
  assert.equal(await uphold(id), true)
  assert.deepEqual(await money(account), { balance_micros: 980_000, owed_micros: 0, strikes: 0 })
})

test('a removal and a rejected edit are appealed and reversed one by one', async () => {
  const account = await service.createCustomer(1_000_000)
  const id = await submit(account)
  await edit(account, id, 'verdict-reject-spam')
  await account.client.appealPost(id, { message: 'It quotes a flyer.' })
  await remove(id)
  await account.client.appealPost(id, { message: 'And this is the slipway’s own account.' })
  assert.equal((await money(account)).strikes, 2)
  await uphold(id)
  const restored = await record(account, id)
  assert.equal(restored.status, 'published')
  assert.equal(restored.edit?.rejection?.appeal?.status, 'open')
  assert.equal((await money(account)).strikes, 1)
  await uphold(id)
  assert.equal((await record(account, id)).edit?.rejection?.strike, false)
  assert.deepEqual(await money(account), { balance_micros: 980_000, owed_micros: 0, strikes: 0 })
  assert.equal(await uphold(id), false, 'nothing is left')
  await assert.rejects(account.client.appealPost(id, { message: 'Again.' }), (error) =>
    isProblem(error, 'invalid_state'),
  )
})

test('a post that is removed, restored and removed again is penalised each time, and each penalty is reversed', async () => {
  const account = await service.createCustomer(1_000_000)
  const id = await submit(account)
  for (let round = 0; round < 3; round++) {
    await remove(id)
    assert.deepEqual(await money(account), { balance_micros: 800_000, owed_micros: 0, strikes: 1 }, `removed, ${round}`)
    await uphold(id)
    assert.deepEqual(
      await money(account),
      { balance_micros: 980_000, owed_micros: 0, strikes: 0 },
      `restored, ${round}`,
    )
  }
  const { charged_micros, refunded_micros } = await record(account, id)
  assert.deepEqual([charged_micros, refunded_micros], [20_000 + 3 * 180_000, 3 * 180_000])
})

test('an appeal that another reviewer dismisses changes nothing, and the owner is notified', async () => {
  const account = await service.createCustomer(1_000_000)
  const id = await submit(account)
  await remove(id)
  const dismiss = (edit: number, actor = 'operator:other') =>
    service.asOperator((tx) => dismissAppeal(tx, { ...person(id), edit, actor }))
  assert.equal(await dismiss(0), false, 'none is open')
  await account.client.appealPost(id, { message: 'This is the slipway’s own account.' })
  assert.equal(await dismiss(1), false)
  assert.equal(await dismiss(0, 'operator:test'), false, 'whoever decided is not the one to look again')
  const before = await money(account)
  const decisions = () =>
    service.asOwner('select outcome, actor from moderation_decisions where post_id = $1 order by id', [id])
  const made = await decisions()
  assert.equal(await dismiss(0), true)
  assert.equal(await dismiss(0), false, 'it is over')
  assert.deepEqual(await decisions(), made)
  assert.deepEqual(await money(account), before)
  const { status, removal } = await record(account, id)
  assert.deepEqual([status, removal?.appeal?.status, removal?.strike], ['removed', 'dismissed', true])
  assert.equal(removal?.statement?.how_to_appeal, null)
  assert.deepEqual(await told(account), [`appeal_decided ${id}/0`])
})

test('the owner is notified of an upheld appeal, and of a rejection that is reversed without one', async () => {
  const account = await service.createCustomer(1_000_000)
  const id = await submit(account)
  await remove(id)
  await uphold(id)
  assert.deepEqual(await told(account), [`refusal_taken_back ${id}/0`])
  await remove(id)
  await account.client.appealPost(id, { message: 'This is the slipway’s own account.' })
  await uphold(id)
  assert.deepEqual(await told(account), [`refusal_taken_back ${id}/0`, `appeal_decided ${id}/0`])
  await remove(id)
  const event = (await account.client.listEvents()).body.data.at(-1)
  assert.equal(event?.data.removal?.statement?.how_to_appeal, null, 'it was appealed once')
})

test('the owner is notified when a reversal ends a ban for strikes', async () => {
  const account = await service.createCustomer(1_000_000)
  const ids: string[] = []
  for (let strike = 0; strike < 3; strike++) ids.push(await submit(account))
  for (const id of ids) await remove(id)
  assert.equal((await account.client.getAccount()).body.standing, 'banned')
  for (const id of ids) await uphold(id)
  const expected = ids.map((id, index) => `refusal_taken_back ${id}/0${index === 0 ? '/unbanned' : ''}`)
  assert.deepEqual(await told(account), expected)
})

test('for a post that was public, removed and deleted, only the penalty and the strike are returned, not the fee', async () => {
  const account = await service.createCustomer(1_000_000)
  const id = await submit(account)
  await remove(id)
  await account.client.deletePost(id)
  assert.deepEqual(await money(account), { balance_micros: 800_000, owed_micros: 0, strikes: 1 })
  assert.equal(await uphold(id), true)
  assert.deepEqual(await money(account), { balance_micros: 980_000, owed_micros: 0, strikes: 0 })
  const booked = await service.asOwner<{ row: string }>(
    `select concat_ws(' ', reason, amount_micros) as row from ledger_transfers where subject like $1 || '%' order by id`,
    [id],
  )
  assert.deepEqual(
    booked.map(({ row }) => row),
    ['post 20000', 'penalty 180000', 'penalty_return 180000'],
  )
  assert.equal(await uphold(id), false, 'nothing is left')
  assert.equal((await record(account, id)).status, 'deleted')
})

test('for a rejected post that was deleted and never public, everything is returned', async () => {
  const account = await service.createCustomer(1_000_000)
  const id = await submit(account, 'verdict-reject-spam')
  await account.client.deletePost(id)
  assert.equal(await uphold(id), true)
  assert.deepEqual(await money(account), { balance_micros: 1_000_000, owed_micros: 0, strikes: 0 })
})

test('a second removal does not show the appeal of the first, and cannot be appealed', async () => {
  const account = await service.createCustomer(1_000_000)
  const owner = await openOwner(service, account.id)
  const page = async (path: string) => (await owner.get(path)).text()
  const id = await submit(account)
  await remove(id)
  service.clock.setOffset(1_000)
  await account.client.appealPost(id, { message: 'This is the slipway’s own account.' })
  assert.equal((await record(account, id)).removal?.appeal?.status, 'open')
  assert.match(await page('/account/posts'), /See the appeal/)
  await uphold(id)
  assert.match(await page(`/account/posts/${id}`), /Any penalty was refunded.*Appeal upheld: the decision was/s)
  service.clock.setOffset(2_000)
  await remove(id)
  const { removal } = await record(account, id)
  assert.deepEqual([removal?.appeal, removal?.statement.how_to_appeal], [null, null])
  const shown = await page(`/account/posts/${id}`)
  assert.match(shown, /An earlier decision was appealed and reversed.*You can appeal a post once/s)
  assert.doesNotMatch(shown, /Appeal upheld|Send the appeal/)
  assert.doesNotMatch(await page('/account/posts'), /See the appeal|Details and appeal/)
  await assert.rejects(account.client.appealPost(id, { message: 'Again.' }), (error) => {
    assert.ok(isProblem(error, 'invalid_state'))
    assert.match(error.document.detail, /You have already appealed this decision\.$/)
    return true
  })
})

test('the owner page offers the appeal of an older rejection when the newest was appealed, as the call does', async () => {
  const account = await service.createCustomer(1_000_000)
  const owner = await openOwner(service, account.id)
  const id = await submit(account)
  await edit(account, id, 'verdict-reject-spam')
  await remove(id)
  await account.client.appealPost(id, { message: 'This is the slipway’s own account.' })
  const path = `/account/posts/${id}`
  assert.match(await (await owner.get(path)).text(), /Send the appeal/)
  assert.ok((await record(account, id)).edit?.rejection?.statement.how_to_appeal)
  assert.equal((await owner.post(`${path}/appeal`, { message: 'And this quotes a flyer.' })).status, 303)
  assert.equal((await record(account, id)).edit?.rejection?.appeal?.status, 'open')
  assert.doesNotMatch(await (await owner.get(path)).text(), /Send the appeal/)
})

test('the appeal instructions are at the newest rejection that was not reversed, which the call refers to', async () => {
  const account = await service.createCustomer(1_000_000)
  const id = await submit(account)
  await edit(account, id, 'verdict-reject-spam')
  const ways = async () => {
    const { removal, edit: last } = await record(account, id)
    return [removal, last?.rejection].map((refusal) => Boolean(refusal?.statement.how_to_appeal))
  }
  assert.deepEqual(await ways(), [false, true])
  await remove(id)
  assert.deepEqual(await ways(), [true, false])
  await uphold(id)
  assert.deepEqual(await ways(), [false, true])
  await uphold(id)
  assert.deepEqual(await ways(), [false, false], 'what was taken back needs no appeal')
})

test('a refund pays a debt first, so that no account with money is blocked by a smaller debt', async () => {
  const account = await service.createCustomer(250_000)
  const ads = service.client(account.api_key, 'classified')
  const ad = {
    title: 'Two oars',
    body: `verdict-slow verdict-low-quality ${crypto.randomUUID()}`,
    category: 'for-sale',
  } as const
  await ads.submitPost(ad)
  await account.client.submitPost({ text: `verdict-reject-spam ${crypto.randomUUID()}` })
  await service.settle()
  // 250,000 − 200,000 − 20,000; the penalty of 180,000 finds 30,000; the refund of 200,000 pays the other 150,000.
  assert.deepEqual(await money(account), { balance_micros: 50_000, owed_micros: 0, strikes: 1 })
  assert.equal((await account.client.submitPost({ text: 'The pilot boat is back.' })).status, 202)
})

test('a rejected edit does not exclude its post from duplicate detection', async () => {
  const account = await service.createCustomer(1_000_000)
  const text = `Notice ${crypto.randomUUID()}: the drawbridge stays open for the crane on Saturday morning.`
  const { body } = await account.client.submitPost({ text })
  assert.ok('id' in body)
  await service.settle()
  await edit(account, body.id, 'verdict-low-quality instead of it')
  await assert.rejects(account.client.submitPost({ text }), (error) => isProblem(error, 'prefilter_refused'))
  await edit(account, body.id, 'Quite another notice about the opening hours of the fish market on the outer pier')
  assert.equal((await account.client.submitPost({ text })).status, 202, 'an accepted edit made room')
})

test('an appeal that arrives while its post is deleted leaves no text behind', async () => {
  const account = await service.createCustomer(10_000_000)
  for (let round = 0; round < 20; round++) {
    const { body } = await account.client.submitPost({ text: `verdict-low-quality ${crypto.randomUUID()}` })
    assert.ok('id' in body)
    await service.settle()
    const { id } = body
    await Promise.all([
      account.client.appealPost(id, { message: 'It is fine.' }).catch(() => {}),
      account.client.deletePost(id),
    ])
    const rows = await service.asOwner('select from appeals where post_id = $1 and message is not null', [id])
    assert.equal(rows.length, 0)
  }
})

test('concurrent decisions on one account’s posts do not deadlock', async () => {
  const account = await service.createCustomer(100_000_000)
  const ids: string[] = []
  for (let index = 0; index < 6; index++) ids.push(await submit(account))
  for (const id of ids) await account.client.editPost(id, { topics: ['waiting-for-a-person'] })
  await Promise.all([
    ...ids.map((id) =>
      service.asOperator((tx, sites) => removePost(tx, sites, { ...person(id), category: 'low_quality' })),
    ),
    ...Array.from({ length: 10 }, () =>
      account.client.submitPost({ text: `verdict-low-quality ${crypto.randomUUID()}` }),
    ),
  ])
  await service.settle()
})
