import type { IncomingHttpHeaders } from 'node:http'
import { classifyInboundRequest, type Implementation, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'
import type { WholeAnswer } from '../../calls/mounted-handler.ts'
import type { ToolResult } from '../tools/call-tool.ts'
import { mcpRevisions } from './protocol.ts'
import { isObject, type Members } from './read-message.ts'

/** An ordinary tool call, and the protocol revision it uses. */
type PlainCall = { id: string | number; name: string; given: Members; isModern: boolean }

const method = 'tools/call'
const [modern, legacy] = mcpRevisions

/**
 * Parses a tool call with only the required fields and an envelope. Returns undefined for every other message, which
 * the MCP SDK handles. The SDK would return the same result, but it creates a server for each message and parses the
 * message many times, so a call would take four times as long as the same request over HTTP. See decisions/0036.
 */
export function readPlainCall(headers: IncomingHttpHeaders, message: unknown): PlainCall | undefined {
  if (!isObject(message) || !hasOnly(message, ['jsonrpc', 'id', 'method', 'params'])) return undefined
  const { jsonrpc, id, params } = message
  if (jsonrpc !== '2.0' || message['method'] !== method || !isId(id) || !isObject(params)) return undefined
  const { name, arguments: given = {} } = params
  if (typeof name !== 'string' || !isObject(given)) return undefined
  const isModern = isPlainModern(headers, message, params)
  return isModern || isPlainLegacy(headers, params) ? { id, name, given, isModern } : undefined
}

function isPlainModern(headers: IncomingHttpHeaders, body: Members, params: Members): boolean {
  return (
    headers['mcp-protocol-version'] === modern &&
    headers['mcp-method'] === method &&
    headers['mcp-name'] === params['name'] &&
    hasOnly(params, ['name', 'arguments', '_meta']) &&
    hasRightEnvelope(body, params)
  )
}

/** Valid envelopes. A client sends the same one with every call, and validation takes half of the parsing time. */
const known = new Set<string>()
const mostKnown = 200
const longestKnown = 1_000

/** Whether the SDK accepts the envelope. */
function hasRightEnvelope(body: Members, { name, _meta }: Members): boolean {
  const envelope = JSON.stringify(_meta)
  if (envelope === undefined || known.has(envelope)) return envelope !== undefined
  const named = { protocolVersionHeader: modern, mcpMethodHeader: method, mcpNameHeader: String(name) }
  const outcome = classifyInboundRequest({ httpMethod: 'POST', ...named, body })
  const isRight = outcome.kind === 'modern' && outcome.classification.revision === modern
  if (isRight && envelope.length <= longestKnown) {
    if (known.size >= mostKnown) known.clear()
    known.add(envelope)
  }
  return isRight
}

function isPlainLegacy({ accept = '', ...headers }: IncomingHttpHeaders, params: Members): boolean {
  return (
    headers['mcp-protocol-version'] === legacy &&
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    hasOnly(params, ['name', 'arguments'])
  )
}

/** The response as the SDK would write it, except for the order of its fields. */
export function writePlainAnswer({ id, isModern }: PlainCall, result: ToolResult, server: Implementation): WholeAnswer {
  const written = (all: object) => JSON.stringify({ result: all, jsonrpc: '2.0', id })
  if (!isModern) return { status: 200, headers: streamed, body: `event: message\ndata: ${written(result)}\n\n` }
  const _meta = { ...result._meta, [SERVER_INFO_META_KEY]: server }
  return { status: 200, headers: json, body: written({ ...result, resultType: 'complete', _meta }) }
}

const json = { 'content-type': 'application/json' }
const streamed = {
  connection: 'keep-alive',
  'content-type': 'text/event-stream',
  'x-accel-buffering': 'no',
}

const hasOnly = (object: Members, names: readonly string[]) => Object.keys(object).every((name) => names.includes(name))

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id)
