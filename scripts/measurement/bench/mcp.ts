import assert from 'node:assert/strict'
import { mcpPath, mcpRevisions } from '../../../src/mcp/protocol/protocol.ts'
import { decimal, readOptions, wholeNumber } from '../../../tooling/script-options.ts'
import { compare, load } from './harness.ts'
import { openService } from './service.ts'

const [modern, legacy] = mcpRevisions

/** The same operations through the JSON API and both revisions of MCP, in one API process. */
export async function benchMcp(args: string[]): Promise<void> {
  const options = { posts: wholeNumber(10_000), seconds: decimal(1), rounds: wholeNumber(9) }
  const { posts, seconds, rounds } = readOptions(args, options)
  await using service = await openService(posts)
  const operations = [
    { tool: 'get_status', input: {}, path: '/v1/status' },
    { tool: 'search_posts', input: { q: 'weather' }, path: '/v1/search?q=weather' },
  ]
  for (const { tool, input, path } of operations) {
    const rate = async (call: () => Promise<void>) => (await load({ seconds }, call)).perSecond
    const overMcp = (revision: string) => async () => {
      const text = await service.call(mcpPath, toolCall(revision, tool, input))
      // A tool call that is rejected also gets a 200.
      assert(!text.includes('"isError":true') && text.includes('"result"'), text.slice(0, 1_000))
    }
    await compare(`${tool}, calls a second`, rounds, {
      JSON: () => rate(async () => void (await service.call(path))),
      [`MCP ${modern}`]: () => rate(overMcp(modern)),
      [`MCP ${legacy}`]: () => rate(overMcp(legacy)),
    })
  }
}

/** As the official client sends it. */
function toolCall(revision: string, name: string, input: object) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name, arguments: input, ...(revision === modern && { _meta }) }
  const named = revision === modern ? { 'mcp-method': 'tools/call', 'mcp-name': name } : {}
  return {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    headers: { 'mcp-protocol-version': revision, ...named },
  }
}
