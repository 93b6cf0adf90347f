import type { IncomingHttpHeaders } from 'node:http'
import type { Call } from '../contract/call.ts'
import type { Problem } from '../contract/problems/problem.ts'

/** Log fields of a request. They never contain user content. */
export type RequestLogFields = { tool?: string; accountId?: string; problem?: Problem }

/** A complete response. */
export type WholeAnswer = { status: number; headers: Record<string, string>; body: string }

/** A request as the HTTP server received it. Its host, method and size have already been checked. */
export type Received = { headers: IncomingHttpHeaders; body: unknown }

/**
 * A handler mounted at one path on every site. It returns a complete response or a Fetch `Response`, or throws an error
 * that becomes a problem.
 */
export type MountedHandler = {
  path: string
  answer: (call: Call, received: Received, seen: RequestLogFields) => Promise<Response | WholeAnswer>
}
