import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import packageFile from '../../package.json' with { type: 'json' }
import type { Operation } from '../contract/define-operation.ts'
import type { Kind } from '../kinds/index.ts'
import { callTool } from './call-tool.ts'
import { toolsOf } from './describe-tool.ts'
import { instructionsFor } from './instructions.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { mcpCapabilities, serverName } from './protocol.ts'
import { listResources, listTemplates, readResource } from './resources.ts'
import type { Visit } from './visit.ts'

export type McpSite = { kind: Kind; baseUrl: string; operations: readonly Operation[] }

/** Finds the visit that a request of the protocol belongs to. */
export type FindVisit = (request: Request | undefined) => Visit

/** What speaks the protocol for one site. */
export type Serving = { answer: (request: Request, message: unknown) => Promise<Response> }

/** The same for everyone until the program changes, which a client notices soon enough in five minutes. */
const cached = { ttlMs: 300_000, cacheScope: 'public' } as const
const cacheHints = {
  'server/discover': cached,
  'tools/list': cached,
  'resources/list': cached,
  'resources/templates/list': cached,
  'resources/read': cached,
  'prompts/list': cached,
}

/**
 * The server of one site. Nothing is kept between requests: each is answered by a `Server` of its own, which is little
 * more than a table of functions. `McpServer` would read all schemas again each time, and judge arguments by itself.
 */
export function serveSite({ kind, baseUrl, operations }: McpSite, findVisit: FindVisit): Serving {
  const tools = toolsOf(kind, operations)
  const byName = new Map(tools.map((each) => [each.tool.name, each]))
  const lists = {
    tools: { tools: tools.map(({ tool }) => tool) },
    resources: { resources: listResources(baseUrl) },
    templates: { resourceTemplates: listTemplates(baseUrl) },
    prompts: { prompts: listPrompts(kind) },
  }
  const info = {
    name: serverName(baseUrl, kind.site.slug),
    title: kind.site.title,
    version: packageFile.version,
    description: kind.site.tagline,
    websiteUrl: `${baseUrl}/`,
  }
  const options = { capabilities: mcpCapabilities, instructions: instructionsFor(kind, baseUrl), cacheHints }
  // As no list changes, `subscriptions/listen` promises nothing: its stream ends at once and holds no place.
  const handler = createMcpHandler(({ requestInfo }) => {
    const server = new Server(info, options)
    server.setRequestHandler('tools/list', () => lists.tools as never)
    server.setRequestHandler('tools/call', ({ params }) => {
      const tool = byName.get(params.name) ?? missing('tool')
      return callTool(tool, findVisit(requestInfo), params.arguments ?? {})
    })
    server.setRequestHandler('resources/list', () => lists.resources)
    server.setRequestHandler('resources/templates/list', () => lists.templates)
    server.setRequestHandler('resources/read', ({ params }) => ({
      contents: [readResource(baseUrl, params.uri) ?? missing('resource', { uri: params.uri })],
    }))
    server.setRequestHandler('prompts/list', () => lists.prompts)
    server.setRequestHandler(
      'prompts/get',
      ({ params }) => getPrompt(kind, params.name, params.arguments ?? {}) ?? missing('prompt'),
    )
    return server
  })
  return { answer: async (request, message) => whole(await handler.fetch(request, { parsedBody: message })) }
}

/**
 * The revisions of 2025 are answered by a stream of one event. It is begun when its end is known, as the log needs it, and
 * says how long it is, so that it can be sent in one piece.
 */
async function whole(response: Response): Promise<Response> {
  const { status, headers } = response
  if (headers.get('content-type') !== 'text/event-stream') return response
  const bytes = await response.arrayBuffer()
  headers.set('content-length', String(bytes.byteLength))
  return new Response(bytes, { status, headers })
}

function missing(what: string, data?: object): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `This site has no ${what} of that name.`, data)
}
