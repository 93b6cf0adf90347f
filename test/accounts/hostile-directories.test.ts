import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { after, before, test } from 'node:test'
import type { AgentRefusalCode } from '../../src/platform/http-signatures/refusal.ts'
import { startListener } from '../../tooling/network/https-receiver.ts'
import { type AgentFixture, answering, directoryType, openAgentFixture } from '../support/accounts/agent-fixture.ts'
import { type AgentKey, newAgentKey, otherDomain } from '../support/accounts/signing-agent.ts'

let fixture: AgentFixture
before(async () => {
  fixture = await openAgentFixture()
})
after(() => fixture[Symbol.asyncDispose]())

const type = directoryType
const hostile: Record<string, [AgentRefusalCode, (key: AgentKey) => RequestListener]> = {
  'a redirect to the right keys': [
    'directory_redirect',
    () => (_, response) => response.writeHead(302, { location: `https://${otherDomain}/` }).end(),
  ],
  'a status other than 200': ['directory_status', ({ jwk }) => answering(203, type, { keys: [jwk] })],
  'no directory': ['directory_status', () => (_, response) => response.writeHead(404).end()],
  'an error of the server': ['directory_status', () => (_, response) => response.writeHead(500).end()],
  'another content type': ['directory_content_type', ({ jwk }) => answering(200, 'application/json', { keys: [jwk] })],
  'no content type': ['directory_content_type', () => (_, response) => response.writeHead(200).end('{}')],
  'a page': ['directory_content_type', () => answering(200, 'text/html', '<html>')],
  'more than 64 KiB': [
    'directory_too_large',
    ({ jwk }) => answering(200, type, { keys: [jwk], more: 'x'.repeat(70_000) }),
  ],
  'more than 20 keys': [
    'directory_too_large',
    ({ jwk }) => answering(200, type, { keys: Array.from({ length: 21 }, () => jwk) }),
  ],
  'no answer': ['directory_timeout', () => () => {}],
  'an answer that never ends': [
    'directory_timeout',
    () => (_, response) => response.writeHead(200, { 'content-type': type }).write('{"keys":['),
  ],
  'a connection that breaks': [
    'directory_unreachable',
    () =>
      ({ socket }) =>
        socket.destroy(),
  ],
  'JSON that is cut': ['directory_malformed', () => answering(200, type, '{"keys":[')],
  'a directory without the key': ['key_not_in_directory', () => answering(200, type, { keys: [newAgentKey().jwk] })],
  'another key under the name of this one': [
    'key_not_in_directory',
    ({ keyId }) => answering(200, type, { keys: [{ ...newAgentKey().jwk, kid: keyId }] }),
  ],
}

for (const [name, [code, listener]] of Object.entries(hostile))
  test(`refused (${code}): ${name}`, async () => {
    const key = newAgentKey()
    fixture.directory.answer(listener(key))
    const agent = await fixture.newAgent()
    await agent.call({ key })
    await agent.until('refused', code)
  })

test('refused (directory_address_refused): a domain with a private address, without a connection to it', async () => {
  await using trap = await startListener(fixture.inside)
  const agent = await fixture.newAgent()
  await agent.call({ key: newAgentKey(), domain: 'inside.example.test' })
  await agent.until('refused', 'directory_address_refused')
  assert.equal(trap.connections(), 0)
})

test('refused (directory_unreachable): a domain that does not exist', async () => {
  const agent = await fixture.newAgent()
  await agent.call({ key: newAgentKey(), domain: 'missing.example.test' })
  await agent.until('refused', 'directory_unreachable')
})

test('refused (wrong_signature): a signature by another key than the one it names', async () => {
  const [named, used] = [newAgentKey(), newAgentKey()]
  fixture.directory.publish(named, used)
  const agent = await fixture.newAgent()
  await agent.call({ key: { ...used, keyId: named.keyId } })
  await agent.until('refused', 'wrong_signature')
})

test('refused (key_not_in_directory): the key of another domain’s directory', async () => {
  const key = newAgentKey()
  fixture.directory.answer((request, response) =>
    answering(200, type, { keys: request.headers.host === otherDomain ? [key.jwk] : [] })(request, response),
  )
  const agent = await fixture.newAgent()
  await agent.call({ key })
  await agent.until('refused', 'key_not_in_directory')
  await agent.call({ key, domain: otherDomain })
  await agent.until('awaiting_owner')
})
