// JSON-RPC over HTTP by hand, in both eras of the protocol: 2026-07-28 (stateless, one request at a time, facts in _meta and
// headers) and 2025-11-25 (initialize first). Answers may be one JSON object or an event stream.
import { fail, isObject } from './assert.ts'
import { Failure, type Json, show } from './checks.ts'
import { sseMessages } from './formats.ts'
import { type Reply, type RequestOptions, request } from './http.ts'
import { sites } from './targets.ts'

export const modernRevision = '2026-07-28'
export const legacyRevision = '2025-11-25'
const clientInfo = { name: 'acceptance-conformance', version: '1.0.0' }
let nextId = 1

type McpOptions = RequestOptions & { meta?: Json; notification?: boolean; era?: typeof modern | typeof legacy }

/** The JSON-RPC message of a reply, or a Failure. */
export function messageOf(reply: Reply, id?: number): Json {
  if (reply.mediaType === 'text/event-stream') {
    const message = sseMessages(reply.text).find((entry) => id === undefined || entry.id === id)
    if (!message)
      throw new Failure(
        `${reply.method} ${reply.url}: expected a message for request ${id} in the event stream, came ${show(reply.text)}`,
      )
    return message
  }
  return reply.json
}

/** One request of 2026-07-28. Returns { reply, message, result, error }. */
export async function modern(
  kind: string,
  method: string,
  params: Json = {},
  { key, from, headers = {}, meta = {}, body }: McpOptions = {},
) {
  const id = nextId++
  const name = params.name ?? params.uri
  const reply = await request('POST', `${sites[kind]}/mcp`, {
    key,
    from,
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': modernRevision,
      'mcp-method': method,
      ...(name !== undefined && ['tools/call', 'resources/read', 'prompts/get'].includes(method)
        ? { 'mcp-name': name }
        : {}),
      ...headers,
    },
    body: body ?? {
      jsonrpc: '2.0',
      id,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': modernRevision,
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': clientInfo,
          ...meta,
        },
      },
    },
  })
  return parts(reply, id)
}

/** One request of 2025-11-25, without a session: the endpoint is stateless. */
export async function legacy(
  kind: string,
  method: string,
  params: Json = {},
  { key, from, headers = {}, notification = false }: McpOptions = {},
) {
  const id = nextId++
  const reply = await request('POST', `${sites[kind]}/mcp`, {
    key,
    from,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(method === 'initialize' ? {} : { 'mcp-protocol-version': legacyRevision }),
      ...headers,
    },
    body: { jsonrpc: '2.0', ...(notification ? {} : { id }), method, params },
  })
  return notification ? { reply } : parts(reply, id)
}
export const initialize = (kind: string, options?: McpOptions) =>
  legacy(kind, 'initialize', { protocolVersion: legacyRevision, capabilities: {}, clientInfo }, options)

function parts(reply: Reply, id: number): Json {
  if (reply.bytes.length === 0 || (!reply.isJson && reply.mediaType !== 'text/event-stream')) return { reply }
  const message = messageOf(reply, id)
  return { reply, message, result: message.result, error: message.error }
}

const toolLists = new Map<string, Map<string, Json>>()
/** The tools of a site by name, asked for once. */
export async function toolsOf(kind) {
  if (!toolLists.has(kind)) {
    const { result, reply } = await modern(kind, 'tools/list')
    if (!result) fail(`tools/list of the ${kind} site`, 'a result', String(reply))
    toolLists.set(kind, new Map(result.tools.map((tool) => [tool.name, tool])))
  }
  return toolLists.get(kind)
}

/**
 * Calls a tool. Names of arguments are settled only for the members of the HTTP contract, so they are fitted to the tool's own
 * inputSchema: flat where it has them, inside body, post, content or input where it has that, and q as query if it says so.
 */
export async function callTool(
  kind: string,
  name: string,
  args: Json,
  { era = modern, ...options }: McpOptions = {},
): Promise<Json> {
  const schema = (await toolsOf(kind)).get(name)?.inputSchema?.properties ?? {}
  let fitted = args
  const strange = Object.keys(args).filter((argument) => !(argument in schema))
  if (strange.length > 0) {
    const wrapper = ['body', 'post', 'content', 'input', kind].find(
      (candidate) => schema[candidate]?.type === 'object' || schema[candidate]?.properties,
    )
    if ('q' in args && 'query' in schema && !('q' in schema)) fitted = { ...args, query: args.q, q: undefined }
    else if ('id' in args && 'post_id' in schema) fitted = { ...args, post_id: args.id, id: undefined }
    else if ('post_id' in args && 'id' in schema) fitted = { ...args, id: args.post_id, post_id: undefined }
    else if (wrapper) {
      const known = Object.fromEntries(Object.entries(args).filter(([argument]) => argument in schema))
      fitted = {
        ...known,
        [wrapper]: Object.fromEntries(Object.entries(args).filter(([argument]) => !(argument in schema))),
      }
    }
  }
  const { reply, result, error } = await era(kind, 'tools/call', { name, arguments: fitted }, options)
  if (error) fail(`tools/call ${name} of the ${kind} site`, 'a result', show(error))
  if (!result) fail(`tools/call ${name} of the ${kind} site`, 'a result', String(reply))
  isObject(result, `result of ${name}`)
  return result
}

/** What a tool answered: its structured content, or the JSON in its text. */
export function answerOf(result) {
  if (result.structuredContent) return result.structuredContent
  const text = result.content?.find(({ type }) => type === 'text')?.text
  try {
    return JSON.parse(text)
  } catch {
    return { text }
  }
}
