import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { agentChecksPerDay } from '../../src/contract/agent-limits.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { type AgentFixture, answering, directoryType, openAgentFixture } from '../support/accounts/agent-fixture.ts'
import { agentDomain, newAgentKey, otherDomain, signAsAgent } from '../support/accounts/signing-agent.ts'

let fixture: AgentFixture
before(async () => {
  fixture = await openAgentFixture()
})
after(() => fixture[Symbol.asyncDispose]())

test('refused before anything is read: wrong forms, with the reason in the account record', async () => {
  const agent = await fixture.newAgent()
  const key = newAgentKey()
  const before = fixture.directory.requests.length
  const withInput = (from: string, to: string) => (headers: Record<string, string>) => ({
    ...headers,
    'signature-input': String(headers['signature-input']).replace(from, to),
  })
  await agent.call({ key, change: withInput('web-bot-auth', 'other') })
  await agent.until('refused', 'no_signature')
  await agent.call({ key, change: (headers) => ({ ...headers, 'signature-agent': 'sig1="http://a.example"' }) })
  await agent.until('refused', 'agent_url_refused')
  await agent.call({ key, change: withInput('"@authority" ', '') })
  await agent.until('refused', 'authority_not_covered')
  assert.equal(fixture.directory.requests.length, before)
})

test('refused (nonce_reused): a signature that another account has used', async () => {
  const key = newAgentKey()
  fixture.directory.publish(key)
  const [first, second] = [await fixture.newAgent(), await fixture.newAgent()]
  await first.call({ key, nonce: 'once' })
  await first.until('awaiting_owner')
  await second.call({ key, nonce: 'once' })
  await second.until('refused', 'nonce_reused')
  await second.call({ key, nonce: 'twice' })
  await second.until('awaiting_owner')
})

test('a refusal is remembered for five minutes, and an account has five checks a day', async () => {
  const key = newAgentKey()
  fixture.directory.answer((_, response) => response.writeHead(404).end())
  const agent = await fixture.newAgent()
  const before = fixture.directory.requests.length
  await agent.call({ key })
  await agent.until('refused', 'directory_status')
  fixture.directory.publish(key)
  await agent.call({ key })
  await fixture.service.settle()
  assert.equal(fixture.directory.requests.length, before + 1)
  fixture.pass(301)
  await agent.call({ key })
  await agent.until('awaiting_owner')
  for (let more = 2; more < agentChecksPerDay; more += 1) {
    const next = newAgentKey()
    fixture.directory.publish(next)
    await agent.call({ key: next })
    await waitFor(async () => fixture.directory.requests.length === before + 1 + more, 'another check')
    await fixture.service.settle()
  }
  await agent.call({ key: newAgentKey() })
  await waitFor(async () => (await agent.state())?.last_refusal?.code === 'too_many_checks', 'the limit')
  assert.equal(fixture.directory.requests.length, before + agentChecksPerDay)
})

test('requests with a query are not stored, because a query can contain text', async () => {
  const agent = await fixture.newAgent()
  const key = newAgentKey()
  await agent.call({ key }, '/v1/account/posts?limit=1')
  await fixture.service.settle()
  assert.equal(await agent.state(), null)
})

test('a signature is erased once it is checked, and never holds the API key', async () => {
  const key = newAgentKey()
  let held: string[] = []
  fixture.directory.answer(async (request, response) => {
    const rows = await fixture.service.asOwner<{ base: string }>(
      'select signature_base as base from agent_keys where key_id = $1',
      [key.keyId],
    )
    held = rows.map(({ base }) => base)
    answering(200, directoryType, { keys: [key.jwk] })(request, response)
  })
  const agent = await fixture.newAgent()
  await agent.call({ key })
  await agent.until('awaiting_owner')
  assert.match(held[0] ?? '', /"@path": \/v1\/account/)
  assert.ok(!held[0]?.includes(agent.api_key))
  const after = await fixture.service.asOwner(
    'select from agent_keys where account_id = $1 and signature is not null',
    [agent.id],
  )
  assert.deepEqual(after, [])
})

test('an MCP call by an API key is noted like a REST call', async () => {
  const key = newAgentKey()
  fixture.directory.publish(key)
  const agent = await fixture.newAgent()
  const url = `${fixture.service.baseUrl}/mcp`
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  const signed = signAsAgent(key, { method: 'POST', url, body, at: fixture.service.clock.now() })
  const headers = {
    authorization: `Bearer ${agent.api_key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  await (await fetch(url, { method: 'POST', body, headers: { ...headers, ...signed } })).text()
  await agent.until('awaiting_owner')
})

test('a directory that cannot be read keeps the mark for seven days', async () => {
  const key = newAgentKey()
  fixture.directory.publish(key)
  const agent = await fixture.newAgent()
  await agent.call({ key })
  await agent.until('awaiting_owner')
  await agent.confirm(key)
  fixture.directory.answer((_, response) => response.writeHead(503).end())
  for (let day = 0; day <= 7; day += 1) {
    fixture.pass(86_400 + 60)
    await fixture.recheck()
    assert.equal((await agent.state())?.state, day < 7 ? 'verified' : 'lost', `after ${day} days`)
  }
  fixture.directory.publish(key)
  fixture.pass(301)
  await agent.call({ key })
  await agent.until('awaiting_owner')
})

test('a directory that can be read again keeps the mark', async () => {
  const key = newAgentKey()
  fixture.directory.publish(key)
  const agent = await fixture.newAgent()
  await agent.call({ key })
  await agent.until('awaiting_owner')
  await agent.confirm(key)
  for (let round = 0; round < 3; round += 1) {
    fixture.directory.answer((_, response) => response.writeHead(503).end())
    fixture.pass(4 * 86_400)
    await fixture.recheck()
    fixture.directory.publish(key)
    fixture.pass(2 * 3_600)
    await fixture.recheck()
  }
  assert.equal((await agent.state())?.state, 'verified')
})

test('a domain can replace its key without its owner, and another domain replaces it only with its owner', async () => {
  const [old, next, foreign] = [newAgentKey(), newAgentKey(), newAgentKey()]
  fixture.directory.publish(old, next, foreign)
  const agent = await fixture.newAgent()
  await agent.call({ key: old })
  await agent.until('awaiting_owner')
  await agent.confirm(old)
  const since = (await agent.state())?.verified_at
  await agent.call({ key: next })
  await waitFor(async () => {
    const [row] = await fixture.service.asOwner<{ key_id: string }>(
      "select key_id from agent_keys where account_id = $1 and state = 'verified'",
      [agent.id],
    )
    return row?.key_id === next.keyId
  }, 'the new key')
  assert.equal((await agent.state())?.verified_at, since)
  fixture.directory.publish(next, foreign)
  fixture.pass(25 * 3_600)
  await fixture.recheck()
  assert.equal((await agent.state())?.state, 'verified', 'the old key may go')
  await agent.call({ key: foreign, domain: otherDomain })
  await fixture.service.settle()
  assert.equal((await agent.state())?.domain, agentDomain)
  await waitFor(async () => {
    await agent.confirm(foreign, otherDomain)
    return (await agent.state())?.domain === otherDomain
  }, 'the other domain')
})
