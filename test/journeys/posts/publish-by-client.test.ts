import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  Broadside,
  InsufficientBalanceError,
  type Kind,
  type PostBody,
  ValidationFailedError,
} from '../../../clients/typescript/src/index.ts'
import { kinds } from '../../../src/kinds/index.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

const openAt = (kind: string, apiKey: string) =>
  new Broadside({ baseUrl: String(service.baseUrls[kind]), apiKey, maxRetries: 0 })

test('one client publishes, reads, lists and edits posts of every kind', async () => {
  const { api_key } = await service.createCustomer()
  const broadside = openAt('message', api_key)
  for (const { name, examples } of kinds) {
    const kind = name as Kind
    const body = examples[0] as PostBody[typeof kind]
    const { charge } = await broadside.check(kind, body)
    const submitted = await broadside.publish(kind, body)
    assert.deepEqual([submitted.kind, submitted.charged_micros], [name, charge.total_micros])
    await service.settle()
    const decided = await openAt(name, api_key).waitForDecision(submitted.id)
    assert.equal(decided.status, 'published', name)
    assert.equal(await broadside.waitForDecision(decided), decided)
    const published = await Array.fromAsync(broadside.posts(kind, { limit: 1 }))
    assert.deepEqual(
      published.map(({ id }) => id),
      [submitted.id],
    )
    const read = await openAt(name, api_key).read(submitted.id)
    assert.deepEqual([read.kind, read.content_trust], [name, 'untrusted-user-content'])
    const edited = await broadside.edit(kind, submitted.id, { topics: ['tides'] })
    assert.equal(edited.id, submitted.id)
    await service.settle()
  }
  const told = await Array.fromAsync(broadside.events({ limit: 1 }))
  assert.ok(told.length >= kinds.length && told.every(({ type }) => type === 'post.published'))
})

test('a scheduled post is a draft, which the list of drafts has', async () => {
  const { api_key } = await service.createCustomer()
  const broadside = openAt('story', api_key)
  const at = new Date(service.clock.now().getTime() + 86_400_000)
  const draft = await broadside.schedule('message', { text: 'The ferry runs again tomorrow morning at six.' }, at)
  assert.deepEqual([draft.state, draft.publish_at], ['scheduled', at.toISOString()])
  const [listed] = await Array.fromAsync(broadside.drafts())
  assert.equal(listed?.id, draft.id)
})

test('refusals are typed, and their messages name the fields', async () => {
  const { api_key } = await service.createAccount()
  const broadside = openAt('event', api_key)
  const faulty = { text: '', topics: 'tides' } as unknown as PostBody['message']
  await assert.rejects(broadside.publish('message', faulty), (error) => {
    assert.ok(error instanceof ValidationFailedError)
    assert.match(error.message, /^validation_failed: .*\/text .*; \/topics .* \(POST \/v1\/posts, request \w+\)$/)
    return error.errors.length === 2
  })
  const text = 'The harbour office is closed on Friday because of the holiday.'
  await assert.rejects(broadside.publish('message', { text }), (error) => {
    assert.ok(error instanceof InsufficientBalanceError)
    return error.accountUrl !== undefined && error.document.required_micros !== undefined
  })
})
