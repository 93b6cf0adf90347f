import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { verifyPost } from '../../clients/typescript/src/verify/index.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { privateKeyFromSeed, publicBytesOf, thumbprintOf } from '../../src/platform/ed25519.ts'
import { signPost } from '../../src/posts/public/sign-post.ts'
import type { PostSigner } from '../../src/posts/sites.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { newText } from '../support/drafts/draft-fixture.ts'

let service: Service
let author: Awaited<ReturnType<Service['createCustomer']>>
before(async () => {
  service = await startService({ judges: true })
  author = await service.createCustomer()
})
after(() => service[Symbol.asyncDispose]())

const [message] = kinds as readonly [Kind, ...Kind[]]

async function publish(): Promise<string> {
  const { body } = await author.client.submitPost({ text: newText() })
  assert('id' in body)
  await service.settle()
  return body.id
}

const read = async (path: string) => (await fetch(service.baseUrl + path)).text()
const keyOf = async (id: string) => JSON.parse(await read(`/p/${id}.json`)).signature.key_id

async function assertVerified(id: string) {
  const { checks, isVerified } = await verifyPost({
    post: await read(`/p/${id}.json`),
    address: `${service.baseUrl}/p/${id}`,
  })
  assert(isVerified, checks.map(({ detail }) => detail).join(' '))
}

const seedOf = (name: string) => createHash('sha256').update(name).digest()
const keysOf = (...names: string[]) => names.map((name) => `${name}:${seedOf(name).toString('base64')}`).join(' ')
const replaceKeys = (...names: string[]) =>
  service.replaceWorker({ POST_SIGNING_KEYS: keysOf(...names) }, async () => {})

async function signerOf(name: string): Promise<PostSigner> {
  const privateKey = privateKeyFromSeed(seedOf(name))
  const { origin } = await service.workerDb.selectFrom('log_head').select('origin').executeTakeFirstOrThrow()
  return { privateKey, keyId: thumbprintOf(publicBytesOf(privateKey)), logOrigin: origin }
}

test('posts from before and after a rotation of the key verify, and a worker whose key or log has ended signs nothing', async () => {
  const old = await publish()
  await replaceKeys('posts', 'next')
  const during = await publish()
  await replaceKeys('next', 'posts')
  const next = await publish()
  await replaceKeys('next')
  const last = await publish()
  const [oldSigner, nextSigner] = [await signerOf('posts'), await signerOf('next')]
  const [oldKey, nextKey] = [oldSigner.keyId, nextSigner.keyId]
  assert.deepEqual(await Promise.all([old, during, next, last].map(keyOf)), [oldKey, oldKey, nextKey, nextKey])
  const { keys } = JSON.parse(await read('/.well-known/broadside-keys.json'))
  assert.deepEqual(
    keys.map(({ kid, valid_until }: Record<string, string | null>) => [kid, valid_until === null]).sort(),
    [
      [oldKey, false],
      [nextKey, true],
    ].sort(),
  )
  for (const signer of [oldSigner, { ...nextSigner, logOrigin: 'localhost/older' }]) {
    const site = { kind: message, baseUrl: service.baseUrl, signer }
    const signing = service.asWorker((tx) => signPost(tx, site, last, service.clock.now()))
    await assert.rejects(signing, /has ended: restart it/)
  }
  for (const id of [old, during, next, last]) await assertVerified(id)
})
