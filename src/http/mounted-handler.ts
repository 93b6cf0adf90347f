import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MountedHandler, RequestLogFields, WholeAnswer } from '../calls/mounted-handler.ts'
import type { Call } from '../contract/call.ts'

/** The log fields for a request to the mounted handler. `status` is the problem's status, even if HTTP returns 200. */
export type MountedHandlerNote = { operation: string; accountId?: string; problem?: string; status?: number }

type MountedRequest = { handler: MountedHandler; call: Call; request: FastifyRequest; reply: FastifyReply }

/** Calls the mounted handler and sends its response. Notes the outcome for the log even if the handler throws. */
export async function answerByMountedHandler(
  { handler, call, request, reply }: MountedRequest,
  note: (note: MountedHandlerNote) => void,
): Promise<FastifyReply> {
  const seen: RequestLogFields = {}
  let answer: Response | WholeAnswer
  try {
    answer = await handler.answer(call, request, seen)
  } finally {
    // Set before the response is sent, because the log line is written immediately afterwards.
    note(noteOf(seen))
    const { problem } = seen
    if (problem && problem.status >= 500)
      call.logger.error({ request_id: call.requestId, error: problem.cause }, 'failed')
  }
  return send(reply, answer)
}

const noteOf = ({ tool, accountId, problem }: RequestLogFields): MountedHandlerNote => ({
  operation: tool ? `mcp:${tool}` : 'mcp',
  ...(accountId && { accountId }),
  ...(problem && { problem: problem.code, status: problem.status }),
})

async function send(reply: FastifyReply, answer: Response | WholeAnswer): Promise<FastifyReply> {
  const { status, headers, body } = answer instanceof Response ? await readyToSend(answer) : answer
  return (
    reply
      .code(status)
      .headers({ ...headers, 'cache-control': 'no-store' })
      // Sent as bytes: Fastify would add a charset to a string.
      .send(typeof body === 'string' ? Buffer.from(body) : body)
  )
}

async function readyToSend(response: Response) {
  const { status, body } = response
  const headers = Object.fromEntries(response.headers)
  const isStream = headers['content-type']?.startsWith('text/event-stream')
  if (isStream || !body) return { status, headers, body: body ?? undefined }
  return { status, headers, body: Buffer.from(await response.arrayBuffer()) }
}
