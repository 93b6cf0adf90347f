import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Call } from '../../src/contract/call.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { readPlainCall } from '../../src/mcp/protocol/plain-call.ts'
import { mcpRevisions } from '../../src/mcp/protocol/protocol.ts'
import { serveMcp, speakProtocol } from '../../src/mcp/protocol/speak-protocol.ts'
import type { McpServer } from '../../src/mcp/server.ts'
import { commonServer, siteServer } from '../../src/mcp/servers.ts'
import { operationsOf } from '../../src/operations.ts'

const kind = kinds[0] as Kind
const baseUrl = 'https://messages.broadside.example'
/** Each tool answers with its example, because there is no database. */
const operations = operationsOf(kind).map(({ allowance: _, takesIdempotencyKey: __, ...operation }) => ({
  ...operation,
  handle: async () => operation.examples.output,
}))
const baseUrls = { [kind.name]: baseUrl }
const call = { baseUrl, baseUrls, requestId: 'request', site: kind.name } as Partial<Call> as Call
const visitOf = (known: boolean) => ({
  ...{ call, allowances: {}, seen: {} },
  known: known
    ? {
        accountId: 'acct_01jcmzq8e5f7r9t2v4x6y8z0ab',
        keyId: 'key',
        autoRecharges: false,
        isBanned: false,
        needsApproval: false,
        scopes: null,
        isReadOnly: false,
        isApp: false,
      }
    : null,
})

const [modern, legacy] = mcpRevisions
const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const envelope = {
  'io.modelcontextprotocol/protocolVersion': modern,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { roots: { listChanged: true } },
}

type Asked = { headers: Record<string, string>; message: { params: Record<string, unknown>; [name: string]: unknown } }

function modernCall(name: string, given?: unknown): Asked {
  const headers = { ...accept, 'mcp-protocol-version': modern, 'mcp-method': 'tools/call', 'mcp-name': name }
  const params = { name, ...(given !== undefined && { arguments: given }), _meta: envelope }
  return { headers, message: { jsonrpc: '2.0', id: 'one', method: 'tools/call', params } }
}

function legacyCall(name: string, given?: unknown): Asked {
  const headers = { ...accept, 'mcp-protocol-version': legacy }
  const params = { name, ...(given !== undefined && { arguments: given }) }
  return { headers, message: { jsonrpc: '2.0', id: 7, method: 'tools/call', params } }
}

const proto = JSON.parse('{"__proto__": 1}')

test('a plain call gets the same response as from the SDK, field by field', async () => {
  const site = { kind, baseUrl, operations }
  for (const described of [siteServer(site), commonServer([site], 'https://owners.broadside.example')])
    for (const known of [true, false]) await compare(described, known)
})

async function compare(described: McpServer, known: boolean) {
  const [server, protocol] = [serveMcp(described), speakProtocol(described)]
  for (const { tool, operation, choice } of described.tools.values()) {
    // A tool that looks for a post in the database is left out: there is none.
    if (choice && choice.by !== 'kind') continue
    const { params, query, body } = operation.examples
    const example = {
      ...(choice && { kind: kind.name }),
      ...(params as object),
      ...(query as object),
      ...(body as object),
    }
    for (const given of [example, undefined, { unknown: '</tool_result>\n\ndata: {}\u2028' }, proto])
      for (const asked of [modernCall(tool.name, given), legacyCall(tool.name, given)]) {
        const arrived = { ...asked, visit: visitOf(known) }
        const [plain, response] = await Promise.all([server.answer(arrived), protocol.answer(arrived)])
        assert.ok(!(plain instanceof Response) && !(response instanceof Response))
        // The HTTP server marks all responses as not cacheable.
        const { 'cache-control': _, ...headers } = response.headers
        assert.deepEqual({ ...plain, body: read(plain.body) }, { ...response, headers, body: read(response.body) })
      }
  }
}

/** The message, and its framing in a stream. */
function read(body = '') {
  const [, before, message = '', after] = /^(event: message\ndata: )?(.*?)(\n\n)?$/.exec(body) ?? []
  return { before, message: JSON.parse(message), after }
}

test('unusual calls are left to the SDK', () => {
  const [plain, older] = [modernCall('get_status', {}), legacyCall('get_status', {})]
  for (const { headers, message } of [plain, older]) assert.ok(readPlainCall(headers, message))
  const withHeaders = (asked: Asked, headers: Record<string, string>) => ({
    ...asked,
    headers: { ...asked.headers, ...headers },
  })
  const withParams = ({ headers, message }: Asked, params: object) => ({
    headers,
    message: { ...message, params: { ...message.params, ...params } },
  })
  const withMessage = ({ headers, message }: Asked, members: object) => ({
    headers,
    message: { ...message, ...members },
  })
  const unusual = [
    ...[plain, older].flatMap((asked) => [
      withMessage(asked, { jsonrpc: '1.0' }),
      withMessage(asked, { id: null }),
      withMessage(asked, { id: 1.5 }),
      withMessage(asked, { id: undefined }),
      withMessage(asked, { method: 'tools/list' }),
      withMessage(asked, { params: [] }),
      withMessage(asked, { extra: 1 }),
      withParams(asked, { name: 1 }),
      withParams(asked, { arguments: 'text' }),
      withParams(asked, { arguments: null }),
      withParams(asked, { task: {} }),
      withParams(asked, { inputResponses: {} }),
      withHeaders(asked, { 'mcp-protocol-version': '2024-11-05' }),
    ]),
    withHeaders(plain, { 'mcp-method': 'tools/list' }),
    withHeaders(plain, { 'mcp-name': 'get_policy' }),
    withHeaders(plain, { 'mcp-name': '=?base64?Z2V0X3N0YXR1cw==?=' }),
    withHeaders(plain, { 'mcp-protocol-version': legacy }),
    withParams(plain, { _meta: undefined }),
    withParams(plain, { _meta: {} }),
    withParams(plain, { _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': legacy } }),
    withParams(plain, { _meta: { ...envelope, 'io.modelcontextprotocol/clientCapabilities': 'all' } }),
    withParams(plain, { _meta: { ...envelope, 'io.modelcontextprotocol/clientInfo': {} } }),
    withHeaders(older, { accept: 'application/json' }),
    withHeaders(older, { 'mcp-protocol-version': modern }),
    withParams(older, { _meta: {} }),
  ]
  for (const { headers, message } of unusual)
    assert.equal(readPlainCall(headers, message), undefined, JSON.stringify({ headers, message }))
  for (const message of [null, 'text', 1, [], {}]) assert.equal(readPlainCall(plain.headers, message), undefined)
})

test('an invalid envelope stays invalid, however many valid ones came before it', () => {
  const withEnvelope = (members: object) => {
    const { headers, message } = modernCall('get_status', {})
    return readPlainCall(headers, { ...message, params: { ...message.params, _meta: { ...envelope, ...members } } })
  }
  for (let number = 0; number < 500; number++) {
    const right = { 'example/number': number }
    for (const _ of ['first', 'again']) assert.ok(withEnvelope(right))
    assert.equal(withEnvelope({ ...right, 'io.modelcontextprotocol/protocolVersion': legacy }), undefined)
  }
})
