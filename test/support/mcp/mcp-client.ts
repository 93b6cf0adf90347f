import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { ProblemDocument } from '../../../clients/typescript/src/problem.ts'
import packageFile from '../../../package.json' with { type: 'json' }
import { mcpRevisions } from '../../../src/mcp/protocol/protocol.ts'

/** The two ways to use the protocol, each in its newest revision: without a handshake, and with one as before 2026. */
export const eras = ['modern', 'legacy'] as const
export type Era = (typeof eras)[number]

const [modern, legacy] = mcpRevisions
const speech = {
  modern: { mode: { pin: modern }, revision: modern },
  legacy: { mode: 'legacy', revision: legacy },
} as const

/**
 * The official client, connected to the site at this address in one protocol version, by default the modern one. It
 * sends the key, if any, with every request. It knows the tools, so that it validates each response against the schema
 * of its tool.
 */
export async function connectMcp(baseUrl: string, { apiKey, era = 'modern' }: { apiKey?: string; era?: Era } = {}) {
  const { mode, revision } = speech[era]
  const client = new Client({ name: 'broadside-test', version: packageFile.version }, { versionNegotiation: { mode } })
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {}
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }))
  assert.equal(client.getNegotiatedProtocolVersion(), revision)
  await client.listTools()
  return client
}

type Arguments = Record<string, unknown>

/** A tool's result, for programs and for models. */
export async function answerOf<Answer>(client: Client, name: string, given: Arguments = {}): Promise<Answer> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: given })
  assert.ok(!isError, JSON.stringify(content))
  if (structuredContent !== undefined) assert.deepEqual(JSON.parse(textOf(content)), structuredContent)
  return structuredContent as Answer
}

/** The problem of a tool's refusal. */
export async function problemOf(client: Client, name: string, given: Arguments = {}): Promise<ProblemDocument> {
  const { isError, content } = await client.callTool({ name, arguments: given })
  assert.ok(isError, JSON.stringify(content))
  return JSON.parse(textOf(content))
}

/** The text of content with a single text block. */
export function textOf(content: readonly { type: string; text?: unknown }[]): string {
  const [block, ...more] = content
  assert.ok(block?.type === 'text' && more.length === 0)
  return String(block.text)
}
