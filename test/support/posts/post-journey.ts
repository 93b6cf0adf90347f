import assert from 'node:assert/strict'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import type { Kind } from '../../../src/kinds/index.ts'
import { prices } from '../../../src/ledger/prices.ts'
import type { Service } from '../../../tooling/environment/service.ts'

const openingMicros = 5_000_000

/**
 * One post from its dry run to its deletion, through the gateway, the API, the worker and the model, checking the
 * balance at each step. Works for any kind.
 */
export async function takeThroughJourney(service: Service, kind: Kind, example: object): Promise<void> {
  const account = await service.createCustomer(openingMicros)
  const client = service.client(account.api_key, kind.name)
  const reader = service.client(undefined, kind.name)
  const balance = async () => (await client.getAccount()).body.balance_micros
  const body = example as never
  const links = kind.chargedLinks(kind.body.parse(example)).length
  const price = kind.priceMicros + links * kind.linkSurchargeMicros

  const trial = await client.submitPost(body, { dry_run: 'true' })
  assert.equal(trial.status, 200)
  assert.deepEqual('dry_run' in trial.body && trial.body.charge.total_micros, price)
  assert.equal(await balance(), openingMicros, 'a dry run is free')

  const submitted = await client.submitPost(body)
  assert.equal(submitted.status, 202)
  assert.ok('id' in submitted.body && submitted.body.status === 'queued')
  const { id } = submitted.body
  assert.equal(submitted.headers.get('location'), `/v1/posts/${id}`)
  assert.equal(Number(submitted.headers.get('retry-after')), submitted.body.moderation?.retry_after_seconds)
  assert.equal(await balance(), openingMicros - price)
  await service.settle()

  const { body: record } = await client.getPost(id)
  assert.ok('status' in record)
  assert.equal(record.status, 'published', JSON.stringify(record))
  assert.equal(record.charged_micros, price)
  await assertPublic(service, kind, { id, authorId: account.id })

  const edited = await client.editPost(id, editOf(kind) as never)
  assert.equal(edited.status, 202)
  const paidForEdit = edited.body.charged_micros - price
  assert.ok(paidForEdit >= prices.editMicros)
  await service.settle()
  const { body: afterEdit } = await client.getPost(id)
  assert.ok('status' in afterEdit && afterEdit.edit?.status === 'accepted', JSON.stringify(afterEdit))
  assert.equal(await balance(), openingMicros - price - paidForEdit)

  const { body: deleted } = await client.deletePost(id)
  assert.equal(deleted.status, 'deleted')
  assert.equal((await client.deletePost(id)).body.status, 'deleted', 'deleting again changes nothing')
  await assert.rejects(reader.getPost(id), (error) => isProblem(error, 'post_gone'))
  assert.ok(!(await idsOn(reader)).includes(id))
  const [stored] = await service.asOwner<{ content: unknown }>('select content from posts where id = $1', [id])
  assert.equal(stored?.content, null, 'the text is erased')
  assert.equal(await balance(), openingMicros - price - paidForEdit, 'no refund')
}

/** The whole of another example, so that every field changes. */
function editOf(kind: Kind): object {
  const { topics: _, ...rest } = kind.examples[0] as Record<string, unknown>
  return { ...rest, topics: ['changed-by-test'] }
}

async function idsOn(reader: ReturnType<Service['client']>): Promise<string[]> {
  const { body } = await reader.browsePosts({ limit: 100 })
  return body.data.map((post) => post.id)
}

async function assertPublic(service: Service, kind: Kind, { id, authorId }: { id: string; authorId: string }) {
  const reader = service.client(undefined, kind.name)
  const { body: post } = await reader.getPost(id)
  assert.ok('content' in post)
  assert.equal(post.content_trust, 'untrusted-user-content')
  assert.equal(post.author_id, authorId)
  assert.equal(post.url, `${service.baseUrls[kind.name]}/p/${id}`)
  assert.equal(post.license.id, 'CC-BY-4.0')
  assert.ok((await idsOn(reader)).includes(id), 'it is in the list')
}
