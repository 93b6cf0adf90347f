import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { connectMcp } from '../support/mcp/mcp-client.ts'

let service: Service
before(async () => {
  service = await startService({ documents: true })
})
after(() => service?.[Symbol.asyncDispose]())

/** A document as any page may read it. */
async function documentAt(url: string) {
  const response = await fetch(url)
  assert.equal(response.status, 200, url)
  assert.equal(response.headers.get('content-type'), 'application/json')
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  return response.json()
}

test('the skill that the index names has the digest of the index', async () => {
  for (const { baseUrl } of service.sites) {
    const { skills } = (await documentAt(`${baseUrl}/.well-known/agent-skills/index.json`)) as {
      skills: { url: string; digest: string }[]
    }
    assert.equal(skills.length, 1)
    for (const { url, digest } of skills) {
      const response = await fetch(url)
      assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8')
      const bytes = Buffer.from(await response.arrayBuffer())
      assert.equal(digest, `sha256:${createHash('sha256').update(bytes).digest('hex')}`)
    }
  }
})

test('server.json describes the server for all sites as that server does, and a client without a token can sign in', async () => {
  const { api_key } = await service.createCustomer(1_000_000)
  const client = await connectMcp(service.accountPageUrl, { apiKey: api_key })
  const info = client.getServerVersion()
  for (const { baseUrl } of service.sites) {
    const {
      $schema: _,
      remotes,
      ...said
    } = (await documentAt(`${baseUrl}/server.json`)) as {
      $schema: string
      remotes: { type: string; url: string }[]
    }
    assert.deepEqual(said, info)
    assert.deepEqual(remotes, [{ type: 'streamable-http', url: `${service.accountPageUrl}/mcp` }])
  }
  const refused = await fetch(`${service.accountPageUrl}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  assert.equal(refused.status, 401)
  assert.match(String(refused.headers.get('www-authenticate')), /resource_metadata="/)
})
