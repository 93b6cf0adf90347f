import assert from 'node:assert/strict'
import { mcpPath, mcpRevisions } from '../../../src/mcp/protocol/protocol.ts'
import type { Era } from './mcp-client.ts'

export type McpRequest = { method: string; params?: Record<string, unknown>; apiKey?: string }

/** The response, and the one message in it. */
export type OneMessage = { status: number; headers: Headers; body: string; message: Message }

export type Message = {
  jsonrpc: string
  id: unknown
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: unknown }
}

/** Sends a request as a client would, and reads the raw response. */
export async function askMcp(baseUrl: string, era: Era, request: McpRequest): Promise<OneMessage> {
  const { apiKey } = request
  const { headers, body } = written(era, request)
  const authorization: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {}
  const response = await fetch(`${baseUrl}${mcpPath}`, {
    method: 'POST',
    headers: { ...headers, ...authorization },
    body,
  })
  return readOneMessage(response)
}

const accepted = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const [modern, legacy] = mcpRevisions
const revisions = { modern, legacy }

/** The request as bytes, with the headers that its revision requires. */
export function written(era: Era, { method, params = {} }: McpRequest) {
  const version = revisions[era]
  const body = (all: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: all })
  if (era === 'legacy') return { headers: { ...accepted, 'mcp-protocol-version': version }, body: body(params) }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  }
  const name = params['name'] ?? params['uri']
  const headers = {
    ...{ ...accepted, 'mcp-protocol-version': version, 'mcp-method': method },
    ...(typeof name === 'string' && { 'mcp-name': inHeader(name) }),
  }
  return { headers, body: body({ ...params, _meta }) }
}

const inHeader = (name: string) =>
  /^[\x21-\x7e]+$/.test(name) ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`

/** Exactly one message, as one JSON text or as the only event of a stream, whatever it contains. */
export async function readOneMessage(response: Response): Promise<OneMessage> {
  const { status, headers } = response
  const body = await response.text()
  const isStream = headers.get('content-type')?.startsWith('text/event-stream')
  const message: Message = JSON.parse(isStream ? onlyEvent(body) : body)
  assert.ok(!Array.isArray(message) && message.jsonrpc === '2.0')
  return { status, headers, body, message }
}

/** The data of the only event, parsed as browsers parse a stream. */
function onlyEvent(stream: string): string {
  const lines = stream.split(/\r\n|\n|\r/)
  const fields = lines.filter((line) => line !== '')
  assert.deepEqual(
    fields.map((line) => line.slice(0, line.indexOf(':'))),
    ['event', 'data'],
  )
  assert.equal(fields[0], 'event: message')
  assert.deepEqual(lines.slice(2), ['', ''], 'the stream ends with its one event')
  return fields[1]?.replace(/^data: ?/, '') ?? ''
}

const untrusted = 'untrusted-user-content'
const draft = { 'io.modelcontextprotocol/trust-annotations': { untrusted: true } }

/** The object of a result with all labels in place, and nothing but the object and its JSON. */
export function labelled<Answer>({ status, message }: OneMessage): Answer {
  const { result, ...frame } = message
  assert.deepEqual([status, frame], [200, { jsonrpc: '2.0', id: 1 }])
  const { content, structuredContent, isError, _meta } = result as Record<string, unknown>
  assert.equal(isError, undefined)
  const { 'io.modelcontextprotocol/serverInfo': _, ...labels } = _meta as Record<string, unknown>
  assert.deepEqual(labels, { ...draft, 'broadside/content_trust': untrusted })
  const [block, ...more] = content as { text: string }[]
  assert.deepEqual([block, more], [{ type: 'text', text: block?.text, _meta: draft }, []])
  assert.deepEqual(JSON.parse(String(block?.text)), structuredContent)
  assert.equal((structuredContent as Record<string, unknown>)['content_trust'], untrusted)
  return structuredContent as Answer
}
