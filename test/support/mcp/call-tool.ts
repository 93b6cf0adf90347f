import type { ProblemDocument } from '../../../clients/typescript/src/problem.ts'
import { mcpPath } from '../../../src/mcp/protocol/protocol.ts'
import type { Era } from './mcp-client.ts'
import { written } from './raw-mcp.ts'

export type Sending = { apiKey?: string | undefined; era?: Era; headers?: Record<string, string> }

type ToolResult = {
  content: { type: string; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
  _meta?: Record<string, unknown>
}

export type McpAnswer = {
  status: number
  headers: Headers
  /** The raw body. */
  body: string
  result?: ToolResult
  error?: { code: number; message: string }
  /** The problem document of a refusal by the endpoint or the tool. */
  problem?: ProblemDocument
}

/** Calls a tool with a hand-written request: an MCP client would hide the raw response. */
export async function callTool(baseUrl: string, name: string, given: unknown, sending: Sending = {}) {
  const params = { name, ...(given !== undefined && { arguments: given }) }
  return sendMcp(baseUrl, 'tools/call', params, sending)
}

export async function sendMcp(baseUrl: string, method: string, params: Record<string, unknown>, sending: Sending = {}) {
  const { headers, body } = mcpRequest(method, params, sending)
  const response = await fetch(`${baseUrl}${mcpPath}`, { method: 'POST', headers, body })
  return readAnswer(response.status, response.headers, await response.text())
}

/** The headers and the body of one request. */
export function mcpRequest(method: string, params: Record<string, unknown>, sending: Sending = {}) {
  const { apiKey, era = 'modern', headers = {} } = sending
  const request = written(era, { method, params })
  const authorization = apiKey !== undefined && { authorization: `Bearer ${apiKey}` }
  return { body: request.body, headers: { ...request.headers, ...authorization, ...headers } as Record<string, string> }
}

/** Parses a response in either of its forms. */
export function readAnswer(status: number, headers: Headers, body: string): McpAnswer {
  const answer = { status, headers, body }
  if (body === '') return answer
  const type = headers.get('content-type')?.split(';')[0]
  if (type === 'application/problem+json') return { ...answer, problem: JSON.parse(body) }
  const json = type === 'text/event-stream' ? /^data: (.*)$/m.exec(body)?.[1] : body
  if (!json) return answer
  const { result, error } = JSON.parse(json) as Pick<McpAnswer, 'result' | 'error'>
  return {
    ...answer,
    ...(result && { result }),
    ...(error && { error }),
    ...(result?.isError && { problem: JSON.parse(result.content[0]?.text ?? '') }),
  }
}
