import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { problemFrom } from '../calls/problem-from.ts'
import { callTool } from './call-tool.ts'
import { instructionsFor } from './instructions.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { mcpCapabilities, mcpPath } from './protocol.ts'
import { listResources, listTemplates, readResource } from './resources.ts'
import type { ServedSite, Serving } from './site.ts'
import type { Visit } from './visit.ts'

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
 * Answers any message in both revisions. Nothing is kept between requests: each is answered by a `Server` of its own,
 * which is little more than a table of functions. `McpServer` would read all schemas again each time, and judge
 * arguments by itself.
 */
export function speakProtocol(site: ServedSite): Serving {
  const { kind, baseUrl, info, tools } = site
  const lists = {
    tools: { tools: [...tools.values()].map(({ tool }) => tool) },
    resources: { resources: listResources(baseUrl) },
    templates: { resourceTemplates: listTemplates(baseUrl) },
    prompts: { prompts: listPrompts(kind) },
  }
  const options = { capabilities: mcpCapabilities, instructions: instructionsFor(site), cacheHints }
  const visits = new WeakMap<Request, Visit>()
  // As no list changes, `subscriptions/listen` promises nothing: its stream ends at once and holds no place.
  const handler = createMcpHandler(({ requestInfo }) => {
    const visit = requestInfo && visits.get(requestInfo)
    assert(visit, 'a request is answered only at the door')
    const server = new Server(info, options)
    server.setRequestHandler('tools/list', () => lists.tools as never)
    server.setRequestHandler('tools/call', ({ params }) =>
      callTool(tools.get(params.name) ?? missing('tool'), visit, params.arguments ?? {}),
    )
    server.setRequestHandler('resources/list', () => lists.resources)
    server.setRequestHandler('resources/templates/list', () => lists.templates)
    server.setRequestHandler('resources/read', ({ params: { uri } }) => ({
      contents: [guarded(visit, () => readResource(baseUrl, uri)) ?? missing('resource', { uri })],
    }))
    server.setRequestHandler('prompts/list', () => lists.prompts)
    server.setRequestHandler(
      'prompts/get',
      ({ params }) => guarded(visit, () => getPrompt(kind, params.name, params.arguments ?? {})) ?? missing('prompt'),
    )
    return server
  })
  return {
    answer: async ({ headers, message, visit }) => {
      const request = requestOf(`${baseUrl}${mcpPath}`, headers)
      visits.set(request, visit)
      return whole(await handler.fetch(request, { parsedBody: message }))
    },
  }
}

/** Of the headers only those that the protocol knows. The body has been parsed. */
export function requestOf(url: string, headers: IncomingHttpHeaders): Request {
  const known = Object.entries(headers).filter(
    (header): header is [string, string] =>
      typeof header[1] === 'string' && /^(?:accept|content-type|mcp-[a-z-]+)$/.test(header[0]),
  )
  return new Request(url, { method: 'POST', headers: known })
}

/** What fails unawares is for the log: the package would tell the caller what the error says. */
function guarded<Result>({ seen }: Visit, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    seen.problem = problemFrom(error)
    throw new ProtocolError(ProtocolErrorCode.InternalError, seen.problem.message)
  }
}

/** The revisions of 2025 are answered by a stream of one event. It is begun when its end is known, as the log needs it. */
const whole = async ({ body, status, headers }: Response): Promise<Response> =>
  new Response(body && (await new Response(body).arrayBuffer()), { status, headers })

function missing(what: string, data?: object): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `This site has no ${what} of that name.`, data)
}
