import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { WholeAnswer } from '../calls/mounted-handler.ts'
import { problemFrom } from '../calls/problem-from.ts'
import { callTool } from './call-tool.ts'
import { instructionsFor } from './instructions.ts'
import { readPlainCall, writePlainAnswer } from './plain-call.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { mcpCapabilities, mcpPath } from './protocol.ts'
import { isObject, type Members } from './read-message.ts'
import { listResources, listTemplates, readResource } from './resources.ts'
import { type Arrived, type McpSite, type ServedSite, type Serving, servedSite, type ToolRequest } from './site.ts'

/** The server of one site: plain calls of tools are answered here, all else by the package for the protocol. */
export function serveSite(site: McpSite): Serving {
  const served = servedSite(site)
  const protocol = speakProtocol(served)
  return {
    answer: async (arrived) => {
      const call = readPlainCall(arrived.headers, arrived.message)
      const tool = call && served.tools.get(call.name)
      if (!tool) return protocol.answer(arrived)
      return writePlainAnswer(call, await callTool(tool, arrived.visit, call.given), served.info)
    },
  }
}

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
  const arrivals = new WeakMap<Request, Arrived>()
  // As no list changes, `subscriptions/listen` promises nothing: its stream ends at once and holds no place.
  const handler = createMcpHandler(({ requestInfo }) => {
    const arrived = requestInfo && arrivals.get(requestInfo)
    assert(arrived, 'a request is answered only at the door')
    const { visit } = arrived
    const server = new Server(info, options)
    server.setRequestHandler('tools/list', () => lists.tools as never)
    server.setRequestHandler('tools/call', ({ params }) =>
      callTool(tools.get(params.name) ?? missing('tool'), visit, argumentsOf(arrived)),
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
    answer: async (arrived) => {
      const request = requestOf(`${baseUrl}${mcpPath}`, arrived.headers)
      arrivals.set(request, arrived)
      return whole(await handler.fetch(request, { parsedBody: arrived.message }), arrived.visit)
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
function guarded<Result>({ seen }: ToolRequest, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    seen.problem = problemFrom(error)
    throw new ProtocolError(ProtocolErrorCode.InternalError, seen.problem.message)
  }
}

/** As they came: in reading them, the package leaves out one whose name means something to JavaScript. */
function argumentsOf({ message }: Arrived): Members {
  const params = isObject(message) && message['params']
  const given = isObject(params) && params['arguments']
  return isObject(given) ? given : {}
}

/** The revisions of 2025 are answered by a stream of one event. It is begun when its end is known, as the log needs it. */
async function whole(response: Response, { seen }: ToolRequest): Promise<WholeAnswer> {
  const body = await response.text()
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: seen.problem ? body : body.replace(unexplained, explained),
  }
}

/** What the package could not read it calls a failure of its own, in words that repeat what was sent. */
const unexplained = /"error":\{"code":-32603,"message":"(?:[^"\\]|\\.)*"\}/
const explained = '"error":{"code":-32602,"message":"The parameters do not fit the method."}'

function missing(what: string, data?: object): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `This site has no ${what} of that name.`, data)
}
