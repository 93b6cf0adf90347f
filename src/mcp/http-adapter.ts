import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import type { FoundCaller } from '../accounts/keys/api-key.ts'
import { authenticateKey } from '../calls/admit.ts'
import { assertJsonBody } from '../calls/json-body.ts'
import type { MountedHandler, Received, RequestLogFields, WholeAnswer } from '../calls/mounted-handler.ts'
import type { Call } from '../contract/call.ts'
import type { AllowanceSizes } from '../contract/limits.ts'
import { Problem } from '../contract/problems/problem.ts'
import { mcpPath } from './protocol/protocol.ts'
import { readMessage, type Unreadable } from './protocol/read-message.ts'
import { serveMcp } from './protocol/serve-mcp.ts'
import type { McpServer, McpSite, Serving, ToolRequest } from './server.ts'
import { commonServer, siteServer } from './servers.ts'

/** Serves the protocol for a server. Tests pass servers with other tools. */
export type Serve = (server: McpServer) => Serving

/** Who may use an endpoint, and what its HTTP responses say about that. */
export type Authentication = {
  /**
   * The caller; null for a request without credentials that may use the keyless tools. Throws a problem, whose headers
   * are sent, or returns a whole response.
   */
  authenticate: (call: Call, headers: IncomingHttpHeaders) => Promise<FoundCaller | null | WholeAnswer>
  /** The HTTP response to a tool's problem, if the client and not the model must act on it. Default: none. */
  problemForHttp?: ToolRequest['problemForHttp']
}

/** By API key alone. Without one, the keyless tools work. */
export const byKey: Authentication = {
  authenticate: (call, { authorization }) => authenticateKey(call, authorization),
}

/** The MCP endpoints of the sites. They are stateless. */
export function mountMcp(
  sites: readonly McpSite[],
  allowances: AllowanceSizes,
  serve: Serve = serveMcp,
): MountedHandler {
  const servers = new Map<string, Serving>()
  // Created on first use: building a site's tool schemas takes a tenth of a second, and not every process needs them.
  const serverOf = ({ site: name }: Call): Serving => {
    const site = sites.find(({ kind }) => kind.name === name)
    assert(site, 'every site has a server')
    const server = servers.get(name) ?? serve(siteServer(site))
    servers.set(name, server)
    return server
  }
  return mounted({ serverOf, origins: originsOf(sites), allowances, ...byKey })
}

export type CommonEndpoint = {
  sites: readonly McpSite[]
  accountPageUrl: string
  allowances: AllowanceSizes
  /** Default: by API key, as on the sites. */
  authentication?: Authentication
  serve?: Serve
}

/** The MCP endpoint for all sites, at the owner page's origin. It is stateless too. */
export function mountCommonMcp(endpoint: CommonEndpoint): MountedHandler {
  const { sites, accountPageUrl, allowances, authentication = byKey, serve = serveMcp } = endpoint
  let server: Serving | undefined
  const serverOf = () => {
    server ??= serve(commonServer(sites, accountPageUrl))
    return server
  }
  const origins = originsOf([...sites, { baseUrl: accountPageUrl }])
  return mounted({ serverOf, origins, allowances, ...authentication })
}

type Endpoint = Authentication & {
  serverOf: (call: Call) => Serving
  /** The origins whose pages may call. */
  origins: ReadonlySet<string>
  allowances: AllowanceSizes
}

const mounted = (endpoint: Endpoint): MountedHandler => ({
  path: mcpPath,
  answer: (call, received, seen) => answer(endpoint, { call, received, seen }),
})

type Request = { call: Call; received: Received; seen: RequestLogFields }

/** Throws a problem if the origin, the content type or the caller is invalid, before MCP reads the message. */
async function answer(endpoint: Endpoint, { call, received: { headers, body }, seen }: Request) {
  const { serverOf, origins, allowances, authenticate, problemForHttp } = endpoint
  assertOwnOrigin(headers.origin, origins)
  assertJsonBody(headers)
  const known = await authenticate(call, headers)
  if (known && 'body' in known) return known
  if (known) seen.accountId = known.accountId
  const read = readMessage(body)
  if ('unreadable' in read) return rpcError(read.unreadable)
  const visit: ToolRequest = { call, known, allowances, seen, problemForHttp }
  const answered = await serverOf(call).answer({ headers, message: read.message, visit })
  if (visit.httpProblem) throw visit.httpProblem
  return answered
}

const originsOf = (places: readonly { baseUrl: string }[]) =>
  new Set(places.map(({ baseUrl }) => new URL(baseUrl).origin))

/** Prevents DNS rebinding, which lets a page on another site act for its visitor. Programs send no Origin header. */
function assertOwnOrigin(origin: string | undefined, own: ReadonlySet<string>): void {
  if (origin === undefined || own.has(origin)) return
  throw new Problem('origin_not_allowed', 'Only pages on these sites can call this server from a browser.')
}

const rpcError = ({ code, text, id }: Unreadable): WholeAnswer => ({
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: text } }),
})
