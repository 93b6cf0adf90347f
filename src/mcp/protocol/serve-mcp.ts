import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { WholeAnswer } from '../../calls/mounted-handler.ts'
import { problemFrom } from '../../calls/problem-from.ts'
import { listResources, listTemplates, readResource } from '../resources.ts'
import type { Arrived, McpServer, Serving, ToolRequest } from '../server.ts'
import { callTool } from '../tools/call-tool.ts'
import { mcpCapabilities } from './protocol.ts'
import { isObject, type Members } from './read-message.ts'

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
export function serveMcp({ url, info, instructions, tools, resourceSites, prompts }: McpServer): Serving {
  const [documents = ''] = resourceSites
  const lists = {
    tools: { tools: [...tools.values()].map(({ tool }) => tool) },
    resources: { resources: listResources(documents) },
    templates: { resourceTemplates: listTemplates(documents) },
    prompts: { prompts: prompts.list },
  }
  const options = { capabilities: mcpCapabilities, instructions, cacheHints }
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
      contents: [guarded(visit, () => readResource(resourceSites, uri)) ?? missing('resource', { uri })],
    }))
    server.setRequestHandler('prompts/list', () => lists.prompts)
    server.setRequestHandler(
      'prompts/get',
      ({ params }) => guarded(visit, () => prompts.get(params.name, params.arguments ?? {})) ?? missing('prompt'),
    )
    return server
  })
  return {
    answer: async (arrived) => {
      const request = requestOf(url, arrived.headers)
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
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `This server has no ${what} with that name.`, data)
}
