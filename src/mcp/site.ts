import type { IncomingHttpHeaders } from 'node:http'
import packageFile from '../../package.json' with { type: 'json' }
import type { FoundCaller } from '../accounts/keys/api-key.ts'
import type { RequestLogFields, WholeAnswer } from '../calls/mounted-handler.ts'
import type { Call } from '../contract/call.ts'
import type { Operation } from '../contract/define-operation.ts'
import type { AllowanceSizes } from '../contract/limits.ts'
import type { Kind } from '../kinds/index.ts'
import { serverName } from './protocol/protocol.ts'
import { type CallableTool, toolsOf } from './tools/describe-tool.ts'

/** A site and its operations. */
export type McpSite = { kind: Kind; baseUrl: string; operations: readonly Operation[] }

/** A site as an MCP server: its identity, and its tools by name, in order. */
export type ServedSite = McpSite & { info: ServerInfo; tools: ReadonlyMap<string, CallableTool> }

type ServerInfo = { name: string; title: string; version: string; description: string; websiteUrl: string }

/** A received message with the headers of its request. */
export type Arrived = { headers: IncomingHttpHeaders; message: unknown; visit: ToolRequest }

/** Implements the protocol for one site. */
export type Serving = { answer: (arrived: Arrived) => Promise<Response | WholeAnswer> }

export function servedSite(site: McpSite): ServedSite {
  const { kind, baseUrl, operations } = site
  const info = {
    name: serverName(baseUrl, kind.site.slug),
    title: kind.site.title,
    version: packageFile.version,
    description: kind.site.tagline,
    websiteUrl: `${baseUrl}/`,
  }
  return { ...site, info, tools: new Map(toolsOf(kind, operations).map((each) => [each.tool.name, each])) }
}

/** The parts of a request that a tool needs. */
export type ToolRequest = {
  /** The call, whose caller is not authenticated yet. */
  call: Call
  /** The account of the key that was sent; null without a key. */
  known: FoundCaller | null
  allowances: AllowanceSizes
  seen: RequestLogFields
}
