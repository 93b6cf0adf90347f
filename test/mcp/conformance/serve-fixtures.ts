import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerNotifier,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Serve } from '../../../src/mcp/http-adapter.ts'
import { requestOf } from '../../../src/mcp/protocol/serve-mcp.ts'
import { prompts, readResource, resources, template, tools } from './fixtures.ts'
import { stateCodec } from './questions.ts'

/**
 * Serves what the conformance suites expect behind the real endpoint. In the revision of 2025, tools ask questions in
 * the middle of a call, which needs a session; the sites have none, because their tools ask nothing.
 */
export const serveFixtures: Serve = ({ url }) => {
  const modern: McpHttpHandler = createMcpHandler(() => newServer(modern.notify), { legacy: 'reject' })
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const newSession = async () => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await newServer(modern.notify).connect(transport)
    return transport
  }
  return {
    answer: async ({ headers, message }) => {
      const request = requestOf(url, headers)
      if (!(await isLegacyRequest(request, message))) return modern.fetch(request, { parsedBody: message })
      const session = sessions.get(request.headers.get('mcp-session-id') ?? '') ?? (await newSession())
      return session.handleRequest(request, { parsedBody: message })
    },
  }
}

function newServer(notifier: ServerNotifier): Server {
  const changes = { listChanged: true }
  const server = new Server(
    { name: 'conformance-fixtures', version: '1.0.0' },
    {
      capabilities: { tools: changes, prompts: changes, resources: { subscribe: true }, logging: {}, completions: {} },
      requestState: { verify: stateCodec.verify },
    },
  )
  serveTools(server, notifier)
  servePrompts(server)
  serveResources(server)
  return server
}

function serveTools(server: Server, notifier: ServerNotifier): void {
  const listed = Object.entries(tools).map(([name, { takes }]) => ({
    name,
    description: `For the conformance suites: ${name}.`,
    inputSchema: {
      type: 'object' as const,
      ...(takes && { properties: { [takes]: { type: 'string' } }, required: [takes] }),
    },
  }))
  server.setRequestHandler('tools/list', () => ({ tools: listed }))
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const tool = tools[params.name] ?? missing(`tool ${params.name}`)
    return tool.answer({ given: params.arguments ?? {}, context, notifier })
  })
}

function servePrompts(server: Server): void {
  const listed = Object.entries(prompts).map(([name, { takes = [] }]) => ({
    name,
    description: `For the conformance suites: ${name}.`,
    arguments: takes.map((argument) => ({ name: argument, required: true })),
  }))
  server.setRequestHandler('prompts/list', () => ({ prompts: listed }))
  server.setRequestHandler('prompts/get', ({ params }, context) => {
    const prompt = prompts[params.name] ?? missing(`prompt ${params.name}`)
    return prompt.answer(params.arguments ?? {}, context)
  })
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }))
}

function serveResources(server: Server): void {
  const listed = resources.map(({ uri, mimeType }) => ({ uri, name: uri, ...(mimeType && { mimeType }) }))
  server.setRequestHandler('resources/list', () => ({ resources: listed }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [template] }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({
    contents: [readResource(uri) ?? missing(`resource ${uri}`, { uri })],
  }))
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
}

function missing(what: string, data?: object): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ${what}.`, data)
}
