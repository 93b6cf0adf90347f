import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { kinds } from '../../src/kinds/index.ts'
import { canonicalJson } from '../../src/platform/canonical-json.ts'
import { publicKeyFromBytes, verifyEd25519 } from '../../src/platform/ed25519.ts'
import { openEventStream } from '../../tooling/clients/event-stream.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { callTool } from '../support/mcp/call-tool.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'

let service: Service
let author: string
let apiKey: string
before(async () => {
  service = await startService({ judges: true })
  const account = await service.createCustomer(10_000_000)
  author = account.id
  apiKey = account.api_key
})
after(() => service[Symbol.asyncDispose]())

type Signed = {
  id: string
  kind: string
  revision: number
  published_at: string
  license: object
  content: Record<string, unknown>
  signature: { key_id: string; value: string; created_at: string } | null
}

function signedPart({ id, kind, revision, published_at, license, content }: Signed) {
  const { author: _, attribution: __, ...written } = content
  return { id, kind, revision, published_at, license, content: written }
}

async function keys() {
  const response = await fetch(`${service.baseUrl}/.well-known/broadside-keys.json`)
  assert.equal(response.headers.get('content-type'), 'application/json')
  return (await response.json()) as {
    keys: { kid: string; x: string; purpose: string; valid_from: string; valid_until: string | null }[]
    logs: { origin: string; url: string; vkey: string }[]
  }
}

async function isSigned(post: Signed): Promise<boolean> {
  const { signature } = post
  const key = (await keys()).keys.find(({ kid }) => kid === signature?.key_id)
  assert(key && signature, 'the post is signed by a published key')
  const bytes = Buffer.from(key.x, 'base64url')
  assert(key.valid_from <= signature.created_at && key.valid_until === null)
  return verifyEd25519(
    publicKeyFromBytes(bytes),
    canonicalJson(signedPart(post)),
    Buffer.from(signature.value, 'base64url'),
  )
}

for (const kind of kinds)
  test(`a ${kind.name} is signed in its file, in the API, in lists, in search, in the stream and for tools`, async () => {
    const base = String(service.baseUrls[kind.name])
    await using stream = await openEventStream(base)
    // A worker decides and signs in one transaction, so the stream never tells the post without its signature.
    const { body } = await service.client(apiKey, kind.name).submitPost(kind.examples[0] as never)
    assert('id' in body)
    const { id } = body
    await service.settle()
    const file = (await (await fetch(`${base}/p/${id}.json`)).json()) as Signed
    assert(await isSigned(file))
    const read = (await (await fetch(`${base}/v1/posts/${id}`)).json()) as Signed
    assert.deepEqual(read, file)
    const list = (await (await fetch(`${base}/v1/posts`)).json()) as { data: Signed[] }
    assert.deepEqual(list.data[0], file)
    const words = kind.presentation
      .text(kind.examples[0] as never)
      .split(' ')
      .slice(0, 3)
      .join(' ')
    const query = new URLSearchParams({ q: words, kind: kind.name })
    const found = (await (await fetch(`${base}/v1/search?${query}`)).json()) as { data: Signed[] }
    const { highlights: _, ...hit } = found.data.find((post) => post.id === id) as Signed & { highlights?: unknown }
    assert.deepEqual(hit, file)
    await waitFor(async () => stream.events.some(({ data }) => data.id === id), 'the stream to tell the post')
    assert.deepEqual(stream.events.find(({ data }) => data.id === id)?.data, file)
    const { result } = await callTool(base, 'get_post', { id })
    assert.deepEqual(result?.structuredContent, file)
    assert.equal(await isSigned({ ...file, kind: 'other' } as Signed), false)
  })

test('the log has an entry for the post, which its proof opens', async () => {
  const [message] = kinds
  assert(message)
  const id = await publishAsModel(service, { kind: message, accountId: author, changes: {} })
  await service.settle()
  const url = `${service.baseUrl}/p/${id}`
  const response = await fetch(`${url}.tlog-proof`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
  const lines = (await response.text()).split('\n')
  assert.equal(lines[0], 'c2sp.org/tlog-proof@v1')
  const salt = Buffer.from(lines[1]?.slice('extra '.length) ?? '', 'base64')
  const index = Number(lines[2]?.slice('index '.length))
  const post = (await (await fetch(`${url}.json`)).json()) as Signed
  const logged = canonicalJson({ ...signedPart(post), signature: post.signature })
  const { origin } = (await keys()).logs[0] ?? { origin: '' }
  const commitment = createHash('sha256').update(`${origin}/commit/v1\n`).update(salt).update(logged)
  const entry = canonicalJson({ c: commitment.digest('base64url'), t: 'post', v: 1 })
  const stored = await service.workerDb
    .selectFrom('log_entries')
    .select('entry')
    .where('index', '=', index)
    .executeTakeFirstOrThrow()
  assert.equal(stored.entry, entry)
  const checkpoint = await fetch(`${service.baseUrl}/log/checkpoint`)
  assert.equal(checkpoint.headers.get('cache-control'), 'no-store')
  const size = Number((await checkpoint.text()).split('\n')[1])
  const tile = await fetch(`${service.baseUrl}/log/tile/entries/000.p/${size}`)
  assert.equal(tile.status, 200)
  assert.match(tile.headers.get('cache-control') ?? '', /immutable/)
  const bundle = Buffer.from(await tile.arrayBuffer())
  assert(bundle.includes(entry))
  const missing = await fetch(`${service.baseUrl}/log/tile/0/999`)
  assert.equal(missing.status, 404)
  assert.match(missing.headers.get('cache-control') ?? '', /no-store/)
})
