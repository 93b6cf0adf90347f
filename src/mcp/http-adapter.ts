import assert from 'node:assert/strict'
import { authenticateKey } from '../calls/admit.ts'
import { assertJsonBody } from '../calls/json-body.ts'
import type { MountedHandler, WholeAnswer } from '../calls/mounted-handler.ts'
import type { AllowanceSizes } from '../contract/limits.ts'
import { Problem } from '../contract/problems/problem.ts'
import { mcpPath } from './protocol/protocol.ts'
import { readMessage, type Unreadable } from './protocol/read-message.ts'
import { serveSite } from './serve-site.ts'
import type { McpSite, Serving } from './site.ts'

/** Creates the server for a site. Tests pass servers with other tools. */
export type Serve = (site: McpSite) => Serving

/** The MCP endpoints, one per site. They are stateless. */
export function mountMcp(
  sites: readonly McpSite[],
  allowances: AllowanceSizes,
  serve: Serve = serveSite,
): MountedHandler {
  const origins = new Set(sites.map(({ baseUrl }) => new URL(baseUrl).origin))
  const servers = new Map<string, Serving>()
  // Created on first use: building a site's tool schemas takes a tenth of a second, and not every process needs them.
  const serverOf = (name: string): Serving => {
    const site = sites.find(({ kind }) => kind.name === name)
    assert(site, 'every site has a server')
    const server = servers.get(name) ?? serve(site)
    servers.set(name, server)
    return server
  }
  return {
    path: mcpPath,
    /** Throws a problem if the origin, the content type or the API key is invalid, before MCP handles the message. */
    answer: async (call, { headers, body }, seen) => {
      assertOwnOrigin(headers.origin, origins)
      assertJsonBody(headers)
      const known = await authenticateKey(call, headers.authorization)
      if (known) seen.accountId = known.accountId
      const read = readMessage(body)
      if ('unreadable' in read) return rpcError(read.unreadable)
      return serverOf(call.site).answer({ headers, message: read.message, visit: { call, known, allowances, seen } })
    },
  }
}

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
