import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runCommandLine } from '../../../../tooling/clients/command-line.ts'
import { json, type Reply, refuse, serve } from '../misbehaving-server.ts'

let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
before(async () => {
  folder = await mkdtempDisposable(join(tmpdir(), 'broadside-submission-'))
})
after(() => folder.remove())

const queued = {
  ...{ id: 'post_a', kind: 'message', status: 'queued', created_at: '2026-11-18T00:00:00.000Z', decided_at: null },
  ...{ url: null, charged_micros: 10_000, refunded_micros: 0, policy_version: '2026-11-15' },
}
const html =
  (status: number): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')

/** Publishes a message at a server that answers the submission and each poll in this way. */
async function post(submission: Reply, poll: Reply, ...more: string[]) {
  await using server = await serve((response, request) => {
    const reply =
      request.url === '/v1/status' ? json(200, { status: 'up' }) : request.method === 'POST' ? submission : poll
    reply(response, request)
  })
  const env = { XDG_CONFIG_HOME: folder.path, BROADSIDE_URL: server.baseUrl, BROADSIDE_API_KEY: 'bsk_a' }
  const result = await runCommandLine(['post', 'message', '--text', 'The ferry runs again.', ...more], { env })
  const key = server.seen.find(({ method }) => method === 'POST')?.headers['idempotency-key']
  return { ...result, key }
}

const submitted = 'The post was submitted: post_a. Wait again: broadside wait post_a'

test('a failure while waiting says that the post was submitted, and exits like the failure', async () => {
  const accepted = json(202, queued, { 'retry-after': '0' })
  const refused = await post(accepted, refuse(401, 'invalid_api_key'), '--json')
  assert.equal(refused.code, 4)
  assert.partialDeepStrictEqual(JSON.parse(refused.stdout), {
    code: 'invalid_api_key',
    advice: submitted,
    post: queued,
  })
  const proxy = await post(accepted, html(403))
  assert.equal(proxy.code, 4)
  assert.equal(proxy.stderr.trimEnd().split('\n').at(-1), submitted)
  assert.doesNotMatch(proxy.stderr, /doctor/)
})

test('an unclear response to a submission gives the key for a safe second try', async () => {
  const late = { 'retry-after': '3600' }
  const cases: [Reply, number][] = [
    [refuse(503, 'unavailable', late), 8],
    [(response) => response.writeHead(504, { ...late, 'content-type': 'text/html' }).end('<h1>Timeout</h1>'), 8],
    [html(200), 1],
  ]
  for (const [reply, code] of cases) {
    const { key, ...result } = await post(reply, reply, '--json')
    assert.equal(result.code, code, result.stdout + result.stderr)
    assert.ok(key)
    assert.equal(
      JSON.parse(result.stdout).advice,
      `The post may have been submitted. To try again without publishing twice, add --idempotency-key ${key}`,
    )
  }
})

test('a clear refusal says nothing of a second try', async () => {
  const draft = { id: 'draft_a', state: 'awaiting_approval' }
  for (const reply of [refuse(422, 'validation_failed'), json(202, { draft, for_human: true })]) {
    const { stdout } = await post(reply, reply, '--json')
    assert.doesNotMatch(stdout, /idempotency-key/)
  }
})

test('a post with a status that is newer than the program is a success', async () => {
  const { code, stdout } = await post(json(202, queued), json(200, { ...queued, status: 'archived' }))
  assert.equal(code, 0)
  assert.match(stdout, /^archived {2}message {2}post_a$/m)
})

test('a request that cannot be sent is a usage error, and nothing is sent', async () => {
  const { code, stderr, key } = await post(json(202, queued), json(200, queued), '--idempotency-key', 'clé')
  assert.deepEqual([code, key], [2, undefined])
  assert.match(stderr, /^Error: --idempotency-key must have printable ASCII characters only\.$/m)
})
