import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import canonicalize from 'canonicalize'
import { isProblem } from '../../clients/typescript/src/index.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { openOwner } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { createAuthor, decide, newText, runSweep } from '../support/drafts/draft-fixture.ts'
import { isSignedByAuthor, newSigner, type SignedJson, type Signer } from '../support/posts/signer.ts'

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service?.[Symbol.asyncDispose]())

const message = kinds.find(({ name }) => name === 'message') ?? assert.fail()

/** An account with a registered key. */
async function createSigningAuthor() {
  const [author, signer] = [await createAuthor(service), newSigner()]
  await signer.register(service, author)
  return { author, signer }
}

type Author = Awaited<ReturnType<typeof createAuthor>>

async function publish(author: Author, kind: Kind, content: object, signer?: Signer): Promise<string> {
  const body = { ...content, ...(signer && { author_signature: signer.sign(kind, content) }) }
  const { body: receipt } = await service.client(author.api_key, kind.name).submitPost(body as never)
  assert.ok('id' in receipt, JSON.stringify(receipt))
  await service.settle()
  return receipt.id
}

const readJson = async (id: string, kind = message): Promise<SignedJson> =>
  (await (await fetch(`${service.baseUrls[kind.name]}/p/${id}.json`)).json()) as SignedJson
const readPage = async (id: string, kind = message) =>
  (await fetch(`${service.baseUrls[kind.name]}/p/${id}`, { headers: { accept: 'text/html' } })).text()

/** The errors of a refused submission. */
async function refusalOf(call: Promise<unknown>): Promise<{ pointer: string; detail: string }[]> {
  const error = await call.then(
    () => assert.fail('it was accepted'),
    (thrown) => thrown,
  )
  assert.ok(isProblem(error, 'validation_failed'), String(error))
  return error.document.errors ?? []
}

for (const kind of kinds)
  test(`a signed ${kind.name} shows a signature that its published JSON proves, everywhere`, async () => {
    const { author, signer } = await createSigningAuthor()
    const id = await publish(author, kind, kind.examples[0], signer)
    const post = await readJson(id, kind)
    assert.ok(isSignedByAuthor(post))
    assert.equal(post.author_signature?.public_key, signer.public_key)
    assert.ok(!('author_signature' in post.content))
    const reader = service.client(undefined, kind.name)
    const listed = (await reader.browsePosts({})).body.data.find((one) => one.id === id)
    for (const same of [(await reader.getPost(id)).body, listed]) assert.deepEqual(same, post)
    assert.match(
      await readPage(id, kind),
      new RegExp(
        `<a href="/docs/verification/#author-signatures">Signed by the author</a> with the key <code title="${signer.key_id}">${signer.key_id.slice(0, 8)}…</code>`,
      ),
    )
    const altered = { ...post, content: { ...post.content, topics: ['another'] } }
    assert.ok(!isSignedByAuthor(altered))
  })

test('a post without a signature shows none', async () => {
  const { author } = await createSigningAuthor()
  const id = await publish(author, message, { text: newText() })
  assert.ok(!('author_signature' in (await readJson(id))))
  assert.doesNotMatch(await readPage(id), /Signed by the author/)
})

test('what is stored is signed, not what was sent, and a refusal says which bytes that is', async () => {
  const { author, signer } = await createSigningAuthor()
  const own = newText()
  const stored = { text: `${own}\nCaf\u00e9`, topics: [] }
  const sent = { text: `${own}\r\nCafe\u0301` }
  const value = signer.sign(message, { ...stored, topics: ['other'] }).value
  const wrong = { ...sent, author_signature: { key_id: signer.key_id, value } }
  const [error] = await refusalOf(author.client.submitPost(wrong, { dry_run: 'true' }))
  assert.equal(error?.pointer, '#/author_signature/value')
  const bytes = Buffer.from(String(canonicalize({ content: stored, kind: 'message' })))
  const hash = createHash('sha256').update(bytes).digest('hex')
  assert.ok(error.detail.endsWith(`These are ${bytes.length} bytes with the SHA-256 ${hash}`), error.detail)
  const id = await publish(author, message, sent, signer)
  assert.ok(isSignedByAuthor(await readJson(id)))
})

test('a dry run checks the signature and stores nothing', async () => {
  const { author, signer } = await createSigningAuthor()
  const content = { text: newText() }
  const author_signature = signer.sign(message, content)
  const trial = await author.client.submitPost({ ...content, author_signature }, { dry_run: 'true' })
  assert.equal(trial.status, 200)
  const errors = await refusalOf(author.client.submitPost({ text: newText(), author_signature }, { dry_run: 'true' }))
  assert.deepEqual(
    errors.map(({ pointer }) => pointer),
    ['#/author_signature/value'],
  )
  assert.deepEqual(await service.asOwner('select from posts where account_id = $1', [author.id]), [])
})

test('a key of nobody, of another account or that was removed is refused, and removing one changes no post', async () => {
  const [{ author, signer }, { signer: others }] = [await createSigningAuthor(), await createSigningAuthor()]
  const id = await publish(author, message, { text: newText() }, signer)
  const before = await readJson(id)
  await author.client.deleteSigningKey(signer.key_id)
  for (const stranger of [newSigner(), others, signer]) {
    const content = { text: newText() }
    const body = { ...content, author_signature: stranger.sign(message, content) }
    const [error] = await refusalOf(author.client.submitPost(body))
    assert.equal(error?.pointer, '#/author_signature/key_id')
    assert.match(error.detail, /Register the key with POST \/v1\/account\/signing-keys/)
  }
  await publish(author, message, { text: newText() })
  assert.deepEqual(await readJson(id), before)
  assert.ok(isSignedByAuthor(before))
})

test('a signature by another key of the account, or in another spelling, is refused', async () => {
  const { author, signer } = await createSigningAuthor()
  const second = newSigner()
  await second.register(service, author)
  const content = { text: newText() }
  const { value } = second.sign(message, content)
  // The last character of 86 has four spare bits.
  const spelled = value.slice(0, -1) + String.fromCharCode(value.charCodeAt(85) + 1)
  for (const author_signature of [
    { key_id: signer.key_id, value },
    { key_id: second.key_id, value: spelled },
  ]) {
    const [error] = await refusalOf(author.client.submitPost({ ...content, author_signature }))
    assert.equal(error?.pointer, '#/author_signature/value')
  }
  const malformed = { key_id: signer.key_id, value: `${value.slice(0, -1)}=` }
  const [error] = await refusalOf(author.client.submitPost({ ...content, author_signature: malformed }))
  assert.equal(error?.pointer, '#/author_signature/value')
})

test('an accepted edit replaces the signature, one without a signature removes it, and one with a wrong one is refused', async () => {
  const { author, signer } = await createSigningAuthor()
  const id = await publish(author, message, { text: newText(), topics: ['ferries'] }, signer)
  const text = newText()
  const stale = { text, author_signature: signer.sign(message, { text }) }
  assert.equal((await refusalOf(author.client.editPost(id, stale)))[0]?.pointer, '#/author_signature/value')
  const whole = { text, topics: ['ferries'] }
  await author.client.editPost(id, { text, author_signature: signer.sign(message, whole) })
  await service.settle()
  const edited = await readJson(id)
  assert.equal(edited.content['text'], text)
  assert.ok(isSignedByAuthor(edited))
  await author.client.editPost(id, { topics: ['tides'] })
  await service.settle()
  const unsigned = await readJson(id)
  assert.deepEqual([unsigned.content['topics'], unsigned.author_signature], [['tides'], undefined])
  // Signing is a change of its own.
  const signature = signer.sign(message, { text, topics: ['tides'] })
  await author.client.editPost(id, { author_signature: signature })
  await service.settle()
  assert.ok(isSignedByAuthor(await readJson(id)))
})

test('a rejected edit leaves the signature of the published version', async () => {
  const { author, signer } = await createSigningAuthor()
  const id = await publish(author, message, { text: newText() }, signer)
  const before = await readJson(id)
  const text = `verdict-reject-spam ${newText()}`
  await author.client.editPost(id, { text, author_signature: signer.sign(message, { text }) })
  await service.settle()
  const { body: record } = await author.client.getPost(id)
  assert.ok('edit' in record && record.edit?.status === 'rejected', JSON.stringify(record))
  assert.deepEqual(await readJson(id), before)
})

test('a draft keeps its signature and is published with it', async () => {
  const { author, signer } = await createSigningAuthor()
  const content = { text: newText() }
  const body = { ...content, author_signature: signer.sign(message, content) }
  const { body: answer } = await author.waiting.submitPost(body)
  assert.ok('draft' in answer)
  assert.ok(!JSON.stringify((await author.client.getDraft(answer.draft.id)).body).includes('author_signature'))
  await decide(service, author.id, 'approve', [answer.draft.id])
  await runSweep(service, 'submit-due-drafts')
  const { body: draft } = await author.client.getDraft(answer.draft.id)
  assert.equal(draft.state, 'submitted')
  assert.ok(isSignedByAuthor(await readJson(String(draft.post_id))))
  const kept = await service.asOwner('select author_signature from drafts where id = $1', [answer.draft.id])
  assert.deepEqual(kept, [{ author_signature: null }])
})

test('a draft fails if its signing key was removed while it waited, and one with a wrong signature is not kept', async () => {
  const { author, signer } = await createSigningAuthor()
  const content = { text: newText() }
  const author_signature = signer.sign(message, content)
  const [refused] = await refusalOf(author.waiting.submitPost({ text: newText(), author_signature }))
  assert.equal(refused?.pointer, '#/author_signature/value')
  const { body: answer } = await author.waiting.submitPost({ ...content, author_signature })
  assert.ok('draft' in answer)
  await author.client.deleteSigningKey(signer.key_id)
  await decide(service, author.id, 'approve', [answer.draft.id])
  await runSweep(service, 'submit-due-drafts')
  const { body: draft } = await author.client.getDraft(answer.draft.id)
  assert.deepEqual([draft.state, draft.problem?.code], ['failed', 'validation_failed'])
  assert.equal(draft.problem?.errors?.[0]?.pointer, '#/author_signature/key_id')
})

test('a deleted post and the posts of a closed account lose the signature', async () => {
  const { author, signer } = await createSigningAuthor()
  const [kept, deleted] = [
    await publish(author, message, { text: newText() }, signer),
    await publish(author, message, { text: newText() }, signer),
  ]
  await author.client.deletePost(deleted)
  const owner = await openOwner(service, author.id)
  await owner.post('/account/deletion', { word: 'DELETE' })
  // At once, before the job has erased it.
  const { body } = await service.client().getPost(kept)
  assert.ok(!('author_signature' in body))
  await service.settle()
  assert.ok(!('author_signature' in (await readJson(kept))))
  assert.doesNotMatch(await readPage(kept), new RegExp(signer.key_id))
  const stored = await service.asOwner('select author_signature from posts where account_id = $1', [author.id])
  assert.deepEqual(stored, [{ author_signature: null }, { author_signature: null }])
  assert.deepEqual(await service.asOwner('select from author_keys where account_id = $1', [author.id]), [])
})

test('a repeat with the same Idempotency-Key and signature gets the first response', async () => {
  const { author, signer } = await createSigningAuthor()
  const content = { text: newText() }
  const body = { ...content, author_signature: signer.sign(message, content) }
  const once = { idempotencyKey: crypto.randomUUID() }
  const [first, second] = [
    await author.client.submitPost(body, {}, once),
    await author.client.submitPost(body, {}, once),
  ]
  assert.deepEqual(second.body, first.body)
  await assert.rejects(author.client.submitPost(content, {}, once), (error) =>
    isProblem(error, 'idempotency_key_reused'),
  )
})
