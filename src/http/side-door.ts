import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../contract/problem.ts'
import type { Call } from '../platform/call.ts'

/** What the other door noticed, for the log. */
type Seen = { tool?: string; accountId?: string; problem?: Problem }

/** Another door, reached by one path of every site. It answers by a Response, or throws what is to be told as a problem. */
export type SideDoor = {
  path: string
  answer: (call: Call, request: { headers: IncomingHttpHeaders; body: unknown }, seen: Seen) => Promise<Response>
}

/** What the log says of such a request: which tool was called, and how that ended, whatever the status line says. */
export type SideDoorNote = { operation: string; accountId?: string; problem?: string; status?: number }

type Visit = { door: SideDoor; call: Call; request: FastifyRequest; reply: FastifyReply }

/** Lets the other door answer, and says what became of it, also when it throws. */
export async function answerAtSideDoor(
  { door, call, request, reply }: Visit,
  note: (note: SideDoorNote) => void,
): Promise<FastifyReply> {
  const seen: Seen = {}
  try {
    return await send(reply, await door.answer(call, request, seen))
  } finally {
    const { tool, accountId, problem } = seen
    note({
      operation: tool ? `mcp:${tool}` : 'mcp',
      ...(accountId && { accountId }),
      ...(problem && { problem: problem.code, status: problem.status }),
    })
    if (problem && problem.status >= 500)
      call.logger.error({ request_id: call.requestId, error: problem.cause }, 'failed')
  }
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status).headers({ 'cache-control': 'no-store', ...Object.fromEntries(response.headers) })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (isStream || !response.body) return reply.send(response.body ?? undefined)
  return reply.send(Buffer.from(await response.arrayBuffer()))
}
