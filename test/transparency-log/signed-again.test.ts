import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { verifyPost } from '../../clients/typescript/src/verify/index.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { privateKeyFromSeed, publicBytesOf, thumbprintOf } from '../../src/platform/ed25519.ts'
import { settings } from '../../src/platform/settings/settings.ts'
import { publicForm } from '../../src/posts/public/public-form.ts'
import { signPost } from '../../src/posts/public/sign-post.ts'
import type { PostSigner } from '../../src/posts/sites.ts'
import { dropInvalidSignatures } from '../../src/publishing/jobs/drop-invalid-signatures.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'

let service: Service
let author: string
before(async () => {
  service = await startService({ judges: true })
  author = (await service.createAccount()).id
})
after(() => service[Symbol.asyncDispose]())

const [message] = kinds as readonly [Kind, ...Kind[]]

async function publish(): Promise<string> {
  const id = await publishAsModel(service, { kind: message, accountId: author, changes: {} })
  await service.settle()
  return id
}

const read = async (path: string) => (await fetch(service.baseUrl + path)).text()
const signatureIn = async (path: string) => JSON.parse(await read(path)).signature
const proofOf = (id: string) => read(`/p/${id}.tlog-proof`)

async function assertVerified(id: string) {
  const { checks, isVerified } = await verifyPost({
    post: await read(`/p/${id}.json`),
    address: `${service.baseUrl}/p/${id}`,
  })
  assert(isVerified, checks.map(({ detail }) => detail).join(' '))
}

/** What the job `sign-older-posts` does every minute. */
async function signAgain() {
  await service.asWorker(async (_, sites) => dropInvalidSignatures(service.workerDb, sites))
  await service.settle()
}

const seedOf = (name: string) => createHash('sha256').update(name).digest()
const keysOf = (...names: string[]) =>
  settings.POST_SIGNING_KEYS.parse(names.map((name) => `${name}:${seedOf(name).toString('base64')}`).join(' '))

async function signerOf(name: string, form: string): Promise<PostSigner> {
  const privateKey = privateKeyFromSeed(seedOf(name))
  const { origin } = await service.workerDb.selectFrom('log_head').select('origin').executeTakeFirstOrThrow()
  return { privateKey, keyId: thumbprintOf(publicBytesOf(privateKey)), logOrigin: origin, form }
}

/** Signs as another worker would: with its title of the site, or with its key. */
async function signAs(id: string, { title = message.site.title, key = 'posts', form = 'older' }) {
  const signer = await signerOf(key, form)
  const kind = { ...message, site: { ...message.site, title } }
  await service.asWorker((tx, sites) =>
    signPost(
      tx,
      { kind, baseUrl: sites.get(message.name)?.baseUrl ?? '', signer },
      {
        ...{ postId: id, at: service.clock.now(), type: 'post' },
      },
    ),
  )
  await service.settle()
}

test('a signature of what a post was under other settings is not shown, and the post is signed again', async () => {
  const [changed, same] = [await publish(), await publish()]
  await signAs(changed, { title: 'An older title' })
  await signAs(same, {})
  const kept = await signatureIn(`/v1/posts/${same}`)
  assert(kept, 'the signature covers what is shown')
  assert.equal(await signatureIn(`/v1/posts/${changed}`), null)
  const { data } = JSON.parse(await read('/v1/posts'))
  assert.equal(data.find(({ id }: { id: string }) => id === changed).signature, null)
  const found = JSON.parse(await read('/v1/search?q=the&kind=message'))
  for (const post of found.data) assert.equal(post.signature === null, post.id === changed)

  const size = Number((await read('/log/checkpoint')).split('\n')[1])
  await signAgain()
  await assertVerified(changed)
  assert(await signatureIn(`/v1/posts/${changed}`))
  assert.deepEqual(await signatureIn(`/v1/posts/${same}`), kept)
  assert.equal(Number((await read('/log/checkpoint')).split('\n')[1]), size + 1, 'only one needed another entry')
  const form = await service.asWorker(async (_, sites) => publicForm(sites))
  const stored = await service.asOwner('select distinct form from post_proofs')
  assert.deepEqual(stored, [{ form }], 'all are compared')
})

test('a worker of another release leaves the signatures alone', async () => {
  const id = await publish()
  await signAs(id, { title: 'A newer title', form: 'newer' })
  await service.asOwner("update log_head set public_form = 'newer'")
  await signAgain()
  assert.deepEqual(await service.asOwner('select form from post_proofs where post_id = $1', [id]), [{ form: 'newer' }])
  const form = await service.asWorker(async (_, sites) => publicForm(sites))
  await service.asOwner('update log_head set public_form = $1', [form])
  await signAgain()
  await assertVerified(id)
})

test('posts from before and after a rotation of the key verify, and so do those that a worker signed too late', async () => {
  const replaceKeys = (...names: string[]) => service.replaceWorker({ posts: keysOf(...names) }, async () => {})
  const keyOf = async (id: string) => (await signatureIn(`/p/${id}.json`)).key_id
  const old = await publish()
  await replaceKeys('posts', 'next')
  const during = await publish()
  await replaceKeys('next', 'posts')
  const next = await publish()
  await replaceKeys('next')
  const last = await publish()
  const [oldKey, nextKey] = [(await signerOf('posts', '')).keyId, (await signerOf('next', '')).keyId]
  assert.deepEqual(await Promise.all([old, during, next, last].map(keyOf)), [oldKey, oldKey, nextKey, nextKey])
  const { keys } = JSON.parse(await read('/.well-known/broadside-keys.json'))
  assert.deepEqual(
    keys.map(({ kid, valid_until }: Record<string, string | null>) => [kid, valid_until === null]).sort(),
    [
      [oldKey, false],
      [nextKey, true],
    ].sort(),
  )

  const late = await publish()
  await signAs(late, { key: 'posts', form: await service.asWorker(async (_, sites) => publicForm(sites)) })
  assert.equal(await signatureIn(`/v1/posts/${late}`), null, 'the key had ended')
  await signAgain()
  assert.equal(await keyOf(late), nextKey)
  for (const id of [old, during, next, last, late]) await assertVerified(id)
  assert.match(await proofOf(late), /^c2sp/)
})
