import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem, type PostStatus } from '../../client/src/index.ts'
import { removePost } from '../../src/moderation/decide-by-person.ts'
import { upholdAppeal } from '../../src/moderation/uphold.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

type Account = Awaited<ReturnType<Service['createCustomer']>>

async function publish({ client }: Account): Promise<string> {
  const { body } = await client.submitPost({ text: `The slipway opens at eight, number ${crypto.randomUUID()}.` })
  assert.ok('id' in body)
  await service.settle()
  return body.id
}
async function edit({ client }: Account, id: string, text: string) {
  await client.editPost({ id }, { text: `${text} ${crypto.randomUUID()}` })
  await service.settle()
}
async function record({ client }: Account, id: string): Promise<PostStatus> {
  const { body } = await client.getPost({ id })
  assert.ok('status' in body)
  return body
}
const money = async ({ client }: Account) => {
  const { balance_micros, owed_micros, strikes } = (await client.getAccount()).body
  return { balance_micros, owed_micros, strikes }
}
const person = (postId: string) => ({ postId, actor: 'operator:test', at: service.clock.now() })
const uphold = (id: string) => service.asOperator((tx, sites) => upholdAppeal(tx, sites, person(id)))
const remove = (id: string) =>
  service.asOperator((tx, sites) => removePost(tx, sites, { ...person(id), category: 'scam_fraud' }))

test('the refusal that was appealed is taken back, not the one that came after it', async () => {
  const account = await service.createCustomer(1_000_000)
  const id = await publish(account)
  await edit(account, id, 'verdict-reject-spam')
  await account.client.appealPost({ id }, { message: 'It quotes a flyer.' })
  await edit(account, id, 'verdict-low-quality')
  assert.deepEqual(await money(account), { balance_micros: 880_000, owed_micros: 0, strikes: 1 })
  assert.equal(await uphold(id), true)
  assert.deepEqual(await money(account), { balance_micros: 980_000, owed_micros: 0, strikes: 0 })
})

test('a removal and a rejected edit are appealed and taken back one by one', async () => {
  const account = await service.createCustomer(1_000_000)
  const id = await publish(account)
  await edit(account, id, 'verdict-reject-spam')
  await account.client.appealPost({ id }, { message: 'It quotes a flyer.' })
  await remove(id)
  await account.client.appealPost({ id }, { message: 'And this is the slipway’s own account.' })
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
  await assert.rejects(account.client.appealPost({ id }, { message: 'Again.' }), (error) =>
    isProblem(error, 'invalid_state'),
  )
})

test('a post that is removed, restored and removed again is punished each time, and absolved each time', async () => {
  const account = await service.createCustomer(1_000_000)
  const id = await publish(account)
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

test('a refund pays a debt first, so that nobody with money is locked out by a smaller debt', async () => {
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

test('an edit that is refused does not take its post out of the comparison', async () => {
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

test('many variants of one text do not hide a copy', async () => {
  const account = await service.createCustomer(10_000_000)
  const word = () => Math.random().toString(36).replaceAll(/\d|\./g, '').slice(0, 7)
  const same = Array.from({ length: 12 }, word).join(' ')
  const variants = Array.from({ length: 60 }, () => `${same} ${Array.from({ length: 12 }, word).join(' ')}`)
  for (const text of variants) await account.client.submitPost({ text }).catch(() => {})
  for (const text of [variants[0], variants[30], variants[59]])
    await assert.rejects(account.client.submitPost({ text: String(text) }), (error) =>
      isProblem(error, 'prefilter_refused'),
    )
})

test('an appeal that comes while its post is deleted leaves no text behind', async () => {
  const account = await service.createCustomer(10_000_000)
  for (let round = 0; round < 20; round++) {
    const { body } = await account.client.submitPost({ text: `verdict-low-quality ${crypto.randomUUID()}` })
    assert.ok('id' in body)
    await service.settle()
    const { id } = body
    await Promise.all([
      account.client.appealPost({ id }, { message: 'It is fine.' }).catch(() => {}),
      account.client.deletePost({ id }),
    ])
    const rows = await service.asOwner('select from appeals where post_id = $1 and message is not null', [id])
    assert.equal(rows.length, 0)
  }
})

test('decisions on one account’s posts at the same time do not wait for each other in a circle', async () => {
  const account = await service.createCustomer(100_000_000)
  const ids: string[] = []
  for (let index = 0; index < 6; index++) ids.push(await publish(account))
  for (const id of ids) await account.client.editPost({ id }, { topics: ['waiting-for-a-person'] })
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
