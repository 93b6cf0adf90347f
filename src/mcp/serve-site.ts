import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { WholeAnswer } from '../calls/mounted-handler.ts'
import { problemFrom } from '../calls/problem-from.ts'
import { instructionsFor } from './instructions.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { readPlainCall, writePlainAnswer } from './protocol/plain-call.ts'
import { mcpCapabilities, mcpPath } from './protocol/protocol.ts'
import { isObject, type Members } from './protocol/read-message.ts'
import { listResources, listTemplates, readResource } from './resources.ts'
import { type Arrived, type McpSite, type ServedSite, type Serving, servedSite, type ToolRequest } from './site.ts'
import { callTool } from './tools/call-tool.ts'

/** The server for one site. It handles ordinary tool calls itself and passes everything else to the MCP SDK. */
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

/** The lists are the same for everyone and change only with a release. Clients see it within five minutes. */
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
 * Handles any message in both revisions. It is stateless: each request gets a new `Server`, which is little more than
 * a table of functions. `McpServer` would parse all schemas again for each request and validate the arguments itself.
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
  // The lists never change, so the stream of `subscriptions/listen` ends immediately and holds no connection open.
  const handler = createMcpHandler(({ requestInfo }) => {
    const arrived = requestInfo && arrivals.get(requestInfo)
    assert(arrived, 'requests arrive only through the HTTP adapter')
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

/** Forwards only the protocol's headers. The body is already parsed. */
export function requestOf(url: string, headers: IncomingHttpHeaders): Request {
  const known = Object.entries(headers).filter(
    (header): header is [string, string] =>
      typeof header[1] === 'string' && /^(?:accept|content-type|mcp-[a-z-]+)$/.test(header[0]),
  )
  return new Request(url, { method: 'POST', headers: known })
}

/** Replaces an unexpected error's message, which the SDK would send to the caller. The log has the original. */
function guarded<Result>({ seen }: ToolRequest, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    seen.problem = problemFrom(error)
    throw new ProtocolError(ProtocolErrorCode.InternalError, seen.problem.message)
  }
}

/** The raw arguments: the SDK drops names that are special in JavaScript. */
function argumentsOf({ message }: Arrived): Members {
  const params = isObject(message) && message['params']
  const given = isObject(params) && params['arguments']
  return isObject(given) ? given : {}
}

/** Waits for the whole response, so that the log has the outcome. The 2025 revision gets a stream with one event. */
async function whole(response: Response, { seen }: ToolRequest): Promise<WholeAnswer> {
  const body = await response.text()
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: seen.problem ? body : body.replace(unexplained, explained),
  }
}

/** The SDK reports invalid input as an internal error, with a message that repeats the input. */
const unexplained = /"error":\{"code":-32603,"message":"(?:[^"\\]|\\.)*"\}/
const explained = '"error":{"code":-32602,"message":"The parameters are not valid for this method."}'

function missing(what: string, data?: object): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `This site has no ${what} with that name.`, data)
}
