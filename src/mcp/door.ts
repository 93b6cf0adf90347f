import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { recognise } from '../calls/admit.ts'
import { assertJsonBody, parseJson } from '../calls/json-body.ts'
import type { AllowanceSizes } from '../contract/limits.ts'
import { Problem } from '../contract/problem.ts'
import type { Call } from '../platform/call.ts'
import { mcpPath } from './protocol.ts'
import { type FindVisit, type McpSite, type Serving, serveSite } from './serve-site.ts'
import type { Seen, Visit } from './visit.ts'

/** A request as the HTTP server received it. Its host, its method and its size have been looked at. */
type Received = { headers: IncomingHttpHeaders; body: unknown }

/** Makes what answers for a site. Tests put servers with other tools in its place. */
export type Serve = (site: McpSite, findVisit: FindVisit) => Serving

/** The MCP door of all sites: one endpoint each, without any state between requests. */
export function openMcpDoor(sites: readonly McpSite[], allowances: AllowanceSizes, serve: Serve = serveSite) {
  const visits = new WeakMap<Request, Visit>()
  const findVisit: FindVisit = (request) => {
    const visit = request && visits.get(request)
    if (!visit) throw new Error('A tool was called outside any request.')
    return visit
  }
  const origins = new Set(sites.map(({ baseUrl }) => new URL(baseUrl).origin))
  const servers = new Map(sites.map((site) => [site.kind.name, serve(site, findVisit)]))

  return {
    path: mcpPath,
    /** Refuses by a problem what is refused before the protocol is spoken: a foreign origin, a wrong type, a wrong key. */
    answer: async (call: Call, { headers, body }: Received, seen: Seen): Promise<Response> => {
      assertOwnOrigin(headers.origin, origins)
      assertJsonBody(headers)
      const known = await recognise(call, headers.authorization)
      if (known) seen.accountId = known.accountId
      const message = parse(body)
      if (message === undefined) return rpcError(-32_700, 'The body is not one JSON text in UTF-8.')
      // A request is named, counted and charged once, so that two calls in it would be taken for one.
      if (Array.isArray(message)) return rpcError(-32_600, 'Send one message at a time: batches are not taken.')
      const request = requestOf(`${call.baseUrl}${mcpPath}`, headers)
      visits.set(request, { call, known, allowances, seen })
      const server = servers.get(call.site)
      assert(server, 'every site has a server')
      return server.answer(request, message)
    },
  }
}

/** A page of another site could act for whoever has it open, by way of a name that leads here. Programs send no Origin. */
function assertOwnOrigin(origin: string | undefined, own: ReadonlySet<string>): void {
  if (origin === undefined || own.has(origin)) return
  throw new Problem('origin_not_allowed', 'Only pages of these sites themselves may call this.')
}

/** The message; undefined where there is none to read. */
function parse(body: unknown): unknown {
  try {
    return parseJson(body)
  } catch {
    return undefined
  }
}

/**
 * As much of a request as the protocol asks for: the headers that it knows, and no body, which has been parsed. To make a
 * whole `Request`, with a signal that nobody listens to, takes a fifth of the time of a call.
 */
function requestOf(url: string, headers: IncomingHttpHeaders): Request {
  const known = Object.entries(headers).filter(
    (header): header is [string, string] =>
      typeof header[1] === 'string' && /^(?:accept|content-type|mcp-[a-z-]+)$/.test(header[0]),
  )
  return { url, method: 'POST', headers: new Headers(known) } as Partial<Request> as Request
}

const rpcError = (code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status: 400 })
