import type { IncomingHttpHeaders } from 'node:http'
import type { Call } from '../contract/call.ts'
import type { Problem } from '../contract/problems/problem.ts'

/** What is to be logged of a request: never what a user wrote. */
export type RequestLogFields = { tool?: string; accountId?: string; problem?: Problem }

/** An answer that is known to its end. */
export type WholeAnswer = { status: number; headers: Record<string, string>; body: string }

/** A request as the HTTP server received it. Its host, its method and its size have been looked at. */
export type Received = { headers: IncomingHttpHeaders; body: unknown }

/**
 * A door that is reached by one path of every site, through the HTTP server of another. It answers in one piece or by a
 * Response, or throws what is to be told as a problem.
 */
export type MountedHandler = {
  path: string
  answer: (call: Call, received: Received, seen: RequestLogFields) => Promise<Response | WholeAnswer>
}
