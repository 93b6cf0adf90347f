import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { MountedHandler, Received, RequestLogFields } from '../../src/calls/mounted-handler.ts'
import type { Call } from '../../src/contract/call.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { mountCommonMcp, mountMcp } from '../../src/mcp/http-adapter.ts'
import { mcpRevisions } from '../../src/mcp/protocol/protocol.ts'
import { operationsOf } from '../../src/operations.ts'

const kind = kinds[0] as Kind
const baseUrl = 'https://messages.broadside.example'
const operations = operationsOf(kind).map((operation) => ({
  ...operation,
  handle: async () => operation.examples.output,
}))
const sites = [{ kind, baseUrl, operations }]
const allowances = { 'searches-per-address': 0, 'reports-per-address': 0, 'accounts-per-address': 0 }
const doors = [
  mountMcp(sites, allowances),
  mountCommonMcp({ sites, allowances, accountPageUrl: 'https://owners.broadside.example' }),
]
const baseUrls = { [kind.name]: baseUrl }
const call = { baseUrl, baseUrls, requestId: 'request', site: kind.name, caller: null } as Partial<Call> as Call

const methods = [
  ...['initialize', 'server/discover', 'tools/list', 'tools/call', 'resources/list', 'resources/read', 'prompts/get'],
  ...[
    'ping',
    'logging/setLevel',
    'completion/complete',
    'subscriptions/listen',
    'notifications/cancelled',
    'tasks/get',
  ],
]
const revision = fc.constantFrom(...mcpRevisions, '2024-11-05', '2099-01-01', '')
const odd = fc.jsonValue({ maxDepth: 2 })
const oftenRight = <Value>(right: fc.Arbitrary<Value>) => fc.oneof({ weight: 4, arbitrary: right }, odd)

const envelope = fc.record(
  {
    'io.modelcontextprotocol/protocolVersion': oftenRight(revision),
    'io.modelcontextprotocol/clientCapabilities': oftenRight(fc.constant({})),
    'io.modelcontextprotocol/clientInfo': odd,
    progressToken: odd,
  },
  { requiredKeys: [] },
)
const params = fc.record(
  {
    name: oftenRight(
      fc.constantFrom('get_status', 'search_posts', 'publish_message', 'publish_post', 'browse_posts', '__proto__'),
    ),
    uri: oftenRight(fc.constantFrom(`${baseUrl}/policy.json`, `${baseUrl}/problems/not_found`)),
    arguments: oftenRight(fc.constantFrom({ q: 'ferry' }, { kind: 'message' }, { kind: 'toString' })),
    _meta: oftenRight(envelope),
  },
  { requiredKeys: [] },
)
const message = fc.record(
  {
    jsonrpc: oftenRight(fc.constant('2.0')),
    id: oftenRight(fc.constantFrom(1, 'one')),
    method: oftenRight(fc.constantFrom(...methods)),
    params: oftenRight(params),
  },
  { requiredKeys: [] },
)
const headers = fc.record(
  {
    accept: fc.constantFrom('application/json, text/event-stream', '*/*', 'text/html'),
    'mcp-protocol-version': revision,
    'mcp-method': fc.constantFrom(...methods),
    'mcp-name': fc.constantFrom('get_status', 'search_posts', `${baseUrl}/policy.json`, '=?base64?!?='),
    'mcp-session-id': fc.constant('a-session-of-another-server'),
  },
  { requiredKeys: [] },
)

test('every message gets one response, and never a server error', async () => {
  const property = fc.asyncProperty(fc.oneof({ weight: 9, arbitrary: message }, odd), headers, async (sent, given) => {
    const received = {
      headers: { 'content-type': 'application/json', ...given },
      body: Buffer.from(JSON.stringify(sent)),
    }
    for (const door of doors) await assertAnswered(door, received)
  })
  await fc.assert(property, { numRuns: 500 })
})

async function assertAnswered(door: MountedHandler, received: Received) {
  const seen: RequestLogFields = {}
  const answer = await door.answer(call, received, seen)
  const body = answer instanceof Response ? await answer.text() : answer.body
  assert.ok(answer.status < 500, `${answer.status} ${body}`)
  // A response is one message; only a subscription is acknowledged first.
  const messages = body === '' ? [] : body.split('\n').filter((line) => /^(?:data: )?\{/.test(line))
  assert.ok(messages.length <= (body.includes('subscriptions/acknowledged') ? 2 : 1), body)
  for (const line of messages) {
    const { jsonrpc, error } = JSON.parse(line.replace(/^data: /, ''))
    assert.equal(jsonrpc, '2.0')
    assert.notEqual(error?.code, -32_603, body)
  }
  assert.ok((seen.problem?.status ?? 0) < 500, `the tool failed: ${seen.problem?.code}`)
}
