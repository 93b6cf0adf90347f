import type { IncomingHttpHeaders } from 'node:http'
import type { FoundCaller } from '../accounts/keys/api-key.ts'
import type { RequestLogFields, WholeAnswer } from '../calls/mounted-handler.ts'
import type { Call } from '../contract/call.ts'
import type { Operation } from '../contract/define-operation.ts'
import type { AllowanceSizes } from '../contract/limits.ts'
import type { Problem } from '../contract/problems/problem.ts'
import type { Kind } from '../kinds/index.ts'
import type { Prompts } from './prompts.ts'
import type { CallableTool } from './tools/describe-tool.ts'

/** A site and its operations. */
export type McpSite = { kind: Kind; baseUrl: string; operations: readonly Operation[] }

/** What an MCP server offers: the tools of one site, or of all. */
export type McpServer = {
  url: string
  info: ServerInfo
  instructions: string
  /** By name, in order. */
  tools: ReadonlyMap<string, CallableTool>
  /** The sites whose documents are its resources. It lists those of the first one. */
  resourceSites: readonly string[]
  prompts: Prompts
}

type ServerInfo = { name: string; title: string; version: string; description: string; websiteUrl: string }

/** A received message with the headers of its request. */
export type Arrived = { headers: IncomingHttpHeaders; message: unknown; visit: ToolRequest }

/** Implements the protocol for one server. */
export type Serving = { answer: (arrived: Arrived) => Promise<Response | WholeAnswer> }

/** The parts of a request that a tool needs. */
export type ToolRequest = {
  /** The call, whose caller is not authenticated yet. */
  call: Call
  /** The account of the key that was sent; null without a key. */
  known: FoundCaller | null
  allowances: AllowanceSizes
  seen: RequestLogFields
  /** The problem to answer over HTTP, if a tool's problem is one that the client itself must act on. */
  problemForHttp?: ((problem: Problem, known: FoundCaller | null) => Problem | undefined) | undefined
  httpProblem?: Problem | undefined
}
